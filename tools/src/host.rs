//! The session of `tengen`: the engine's words and those of reviews, problems and the database.

use tengen::protocol::{CommandSpec, Commands, Confinement, Host};
use tengen_database::commands::CurrentDatabase;

/// The words besides the engine's own.
const TABLES: &[&[CommandSpec]] = &[
    tengen_games::commands::COMMANDS,
    tengen_database::commands::COMMANDS,
];

/// All words of a session of `tengen`.
pub fn commands() -> Commands {
    Commands::new(TABLES)
}

/// A host for sessions that use `database`, within bounds if there are any.
pub fn host(database: CurrentDatabase, confinement: Option<Confinement>) -> Host {
    Host {
        tables: TABLES.to_vec(),
        store: Some(Box::new(database)),
        confinement,
    }
}
