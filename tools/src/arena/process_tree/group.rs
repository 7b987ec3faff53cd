use std::io;
use std::process::Command;

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

/// A process group.
pub struct ProcessTree;

impl ProcessTree {
    /// Starts `command` as the first process of a group.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(command: Command) -> io::Result<(Box<dyn ChildWrapper>, ProcessTree)> {
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessGroup::leader());
        Ok((command.spawn()?, ProcessTree))
    }

    /// Does nothing: processes that left the group cannot be found here.
    pub fn kill_descendants(&self) {}

    /// Does nothing, as above.
    pub fn end(&self) {}
}

/// Nothing: orphans cannot be found here.
pub fn orphans_of(_root: u32) -> Vec<u32> {
    Vec::new()
}
