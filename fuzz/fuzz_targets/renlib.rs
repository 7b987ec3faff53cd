//! Libraries of RenLib. A library that was read is written and read as the same; an imported
//! library can be exported again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen_database::{Database, export_library, import_library};
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::sound;
use tengen_games::renlib::{Entries, Library};

fuzz_target!(|bytes: &[u8]| {
    let Ok(library) = Library::read(bytes) else {
        return;
    };
    assert!(library.moves() < bytes.len());
    let charset = library.charset();
    if library.damaged_texts() == 0 {
        assert_eq!(read_again(&library), library);
    }
    in_folder(|folder| {
        let database = sound(Database::open(&folder.join("new")), "a new database");
        let mut entries = sound(
            Entries::new(bytes, Some(charset)),
            "a library that was read",
        );
        let imported = database.write(|writer| import_library(&mut entries, Rule::Renju, writer));
        assert!(sound(imported, "an import") <= library.moves());
        let empty = Board::new(15, 15).expect("a usual size");
        let exported = database.read(|reader| export_library(reader, &empty, Rule::Renju, charset));
        let exported = sound(exported, "an export").expect("15x15 can be exported");
        // The export numbers the nodes in another order.
        let again = read_again(&exported);
        assert_eq!(again.moves(), exported.moves());
        assert_eq!(again.write(), exported.write());
    });
});

/// The library written and read again, with its own charset.
fn read_again(library: &Library) -> Library {
    let again = Library::read_in(&library.write(), Some(library.charset_to_write()));
    let mut again = sound(again, "a library that was written");
    // Some letters of Big5 can be read and not written.
    again.set_charset(library.charset());
    again
}
