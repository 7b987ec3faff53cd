//! An engine's process with its descendants: ended as a whole and reaped.

use std::io;
use std::marker::PhantomData;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use process_wrap::std::ChildWrapper;

use super::pipes::{Pipes, Read, Transport};
use super::process_tree::ProcessTree;
use super::spec::EngineSpec;

/// A running process tree. Dropping it ends the tree.
pub struct Child {
    process: Box<dyn ChildWrapper>,
    tree: ProcessTree,
    pipes: Pipes,
    /// Exit status of the first process; `None` until it was waited for.
    status: Option<ExitStatus>,
    /// True once the tree was ended.
    ended: bool,
    /// Makes `Child` neither `Send` nor `Sync`: Linux ends an engine with the thread that started
    /// the process.
    thread: PhantomData<*const ()>,
}

impl Child {
    /// Starts the engine. Its standard error goes to `errors`; an unread pipe there would fill and
    /// block the engine.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(spec: &EngineSpec, errors: Stdio) -> io::Result<Child> {
        let (pipes, ends) = Pipes::open()?;
        let mut command = Command::new(spec.program());
        command
            .args(spec.arguments())
            .stdin(ends.stdin)
            .stdout(ends.stdout)
            .stderr(errors);
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        // Our copies of the engine's ends are closed with the command: while they are open, the
        // engine's own closing cannot be seen.
        let (process, tree) = ProcessTree::spawn(command)?;
        let mut child = Child {
            process,
            tree,
            pipes,
            status: None,
            ended: false,
            thread: PhantomData,
        };
        child.pipes.attach(child.process.as_mut())?;
        Ok(child)
    }

    /// Identifier of the first process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Writes all of `bytes`; see [`Transport::write_all`].
    ///
    /// # Errors
    /// When the engine does not take them.
    pub fn write_all(&mut self, bytes: &[u8], patience: Duration) -> io::Result<()> {
        self.pipes.write_all(bytes, patience)
    }

    /// Reads the present output; see [`Transport::read`].
    pub fn read(&mut self, buffer: &mut [u8], patience: Duration) -> Read {
        self.pipes.read(buffer, patience)
    }

    /// Waits at most `patience` for the first process to exit by itself.
    pub fn wait_exit(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_micros(100);
        while self.status.is_none() {
            self.status = self.process.inner_mut().try_wait().ok().flatten();
            if self.status.is_some() || Instant::now() >= deadline {
                break;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
        self.status
    }

    /// Closes the engine's input, gives it `patience` to exit, then ends the whole tree.
    pub fn end(&mut self, patience: Duration) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.pipes.close_input();
        if self.wait_exit(patience).is_none() {
            self.tree.kill_descendants();
        }
        // Also after a proper exit: descendants may live on. An error means that none does.
        let _ = self.process.start_kill();
        let _ = self.process.wait();
        self.tree.end();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// `exit code 3`, `signal 11`.
pub fn describe_exit(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("died by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exited with code {code}"),
        None => "ended".to_string(),
    }
}
