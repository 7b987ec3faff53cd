/// What may be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading and changing.
    Write,
    /// Reading: nothing of the file changes.
    Read,
}
