use std::ffi::c_void;
use std::io;
use std::process::Command;
use std::ptr;
use std::sync::Once;

use process_wrap::std::{ChildWrapper, CommandWrap, CreationFlags, JobObject};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, GetCurrentProcess};

/// A job object of the engine's own, with every descendant in it.
pub struct ProcessTree;

impl ProcessTree {
    /// Starts `command` in a job object, and in a process group of its own, out of reach of a
    /// Ctrl-C in the console of the match.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(command: Command) -> io::Result<(Box<dyn ChildWrapper>, ProcessTree)> {
        static JOINED: Once = Once::new();
        JOINED.call_once(|| {
            if let Err(error) = end_children_with_this_process() {
                log::warn!("engines would survive this process: {error}");
            }
        });
        let mut flags = CreationFlags(Default::default());
        flags.0.0 = CREATE_NEW_PROCESS_GROUP;
        let mut command = CommandWrap::from(command);
        command.wrap(flags).wrap(JobObject);
        Ok((command.spawn()?, ProcessTree))
    }

    /// Does nothing: the job object ends all processes at once.
    pub fn kill_descendants(&self) {}

    /// Does nothing, as above.
    pub fn end(&self) {}
}

/// Nothing: orphans cannot be found here.
pub fn orphans_of(_root: u32) -> Vec<u32> {
    Vec::new()
}

/// Puts this process, and with it all later children, into a job object; this process has its only
/// handle. The system closes the handle at any end of this process, and then ends all processes of
/// the job. `process-wrap` sets no such limit on its job objects.
fn end_children_with_this_process() -> io::Result<()> {
    let checked = |done: i32| match done {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    };
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    // SAFETY: null pointers ask for a job without a name and with the usual access. The limits have
    // the type and size announced by the call's second argument, and outlive the call. We do not
    // close the handle: this process belongs to the job.
    unsafe {
        let job = CreateJobObjectW(ptr::null(), ptr::null());
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        checked(SetInformationJobObject(
            job,
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast::<c_void>(),
            size_of_val(&limits) as u32,
        ))?;
        checked(AssignProcessToJobObject(job, GetCurrentProcess()))
    }
}
