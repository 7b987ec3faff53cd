//! Folders of shards, and files merged.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::tests::{read, settings};
use super::*;

fn quick() -> DatagenSettings {
    DatagenSettings {
        nodes: 50,
        draw_after: 20,
        ..settings()
    }
}

fn shards(folder: &Path, plan: &str, share: &str, settings: &DatagenSettings) -> Shards {
    let (plan, share) = (plan.parse().unwrap(), share.parse().unwrap());
    let folder = folder.to_path_buf();
    Shards::new(folder, &plan, share, 2, settings, &Evaluation::Classical).unwrap()
}

/// The first shard to be made of the next ten, and the messages about others.
fn next_open(shards: &mut Shards) -> (Option<Shard>, Vec<String>) {
    let mut skipped = Vec::new();
    for _ in 0..10 {
        let mut skip = |error: &GameFileError| skipped.push(error.to_string());
        if let NextShard::Open(shard) = shards.next_shard(&mut skip).unwrap() {
            return (Some(*shard), skipped);
        }
    }
    (None, skipped)
}

fn play(shard: Shard) {
    let stop = AtomicBool::new(false);
    let one = NonZeroUsize::MIN;
    let classical = Evaluation::Classical;
    run(
        &shard.settings,
        &classical,
        shard.file,
        2,
        one,
        &stop,
        &mut |_| {},
    )
    .unwrap();
}

/// Makes `count` shards and returns their names.
fn make(shards: &mut Shards, count: usize) -> Vec<String> {
    let made = (0..count).map(|_| {
        let (shard, skipped) = next_open(shards);
        assert_eq!(skipped, [""; 0]);
        let shard = shard.unwrap();
        let name = shard.name.clone();
        play(shard);
        name
    });
    made.collect()
}

#[test]
fn a_folder_is_filled_by_the_plan_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plan = "standard-9:2,caro-10:1";
    let made = make(&mut shards(folder, plan, "1/1", &quick()), 4);
    let first = [
        "standard-9-00001",
        "caro-10-00001",
        "standard-9-00002",
        "standard-9-00003",
    ];
    assert_eq!(made, first);
    let made = make(&mut shards(folder, plan, "1/1", &quick()), 1);
    assert_eq!(made, ["caro-10-00002"]);
    let path = |name: &str| folder.join(format!("{name}.bin.zst"));
    // Each has a seed of its own.
    assert_ne!(read(&path(first[0])), read(&path(first[2])));
    let summary = read_data_file(&path("caro-10-00002"), &mut |_| {}).unwrap();
    let settings = summary.sections[0].maker.settings().unwrap();
    assert_eq!(
        (settings.shard, &settings.rules[..], &settings.sizes[..]),
        (2, &[Rule::Caro][..], &[10][..])
    );
    // Missing and interrupted shards come first, with the same games.
    let whole = read(&path(first[2]));
    fs::remove_file(path(first[2])).unwrap();
    let (shard, _) = next_open(&mut shards(folder, plan, "1/1", &quick()));
    let Shard { name, mut file, .. } = shard.unwrap();
    assert_eq!(name, first[2]);
    file.add(&whole[..1]).unwrap();
    drop(file);
    assert_eq!(
        make(&mut shards(folder, plan, "1/1", &quick()), 1),
        [first[2]]
    );
    assert_eq!(read(&path(first[2])), whole);
    // Other settings have other numbers.
    let other = DatagenSettings {
        nodes: 60,
        ..quick()
    };
    let made = make(&mut shards(folder, plan, "1/1", &other), 2);
    assert_eq!(made, ["standard-9-00004", "caro-10-00003"]);
}

#[test]
fn processes_in_one_folder_make_different_shards() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let of = |share| shards(folder, "standard-9", share, &quick());
    // By locks alone.
    let (mut one, mut two) = (of("1/1"), of("1/1"));
    let (first, second) = (
        next_open(&mut one).0.unwrap(),
        next_open(&mut two).0.unwrap(),
    );
    assert_eq!(
        (&first.name[..], &second.name[..]),
        ("standard-9-00001", "standard-9-00002")
    );
    // A lock ends with its owner.
    drop(first);
    assert_eq!(
        next_open(&mut of("1/1")).0.unwrap().name,
        "standard-9-00001"
    );
    // By their shares.
    drop(second);
    assert_eq!(
        make(&mut of("2/3"), 2),
        ["standard-9-00002", "standard-9-00005"]
    );
    assert_eq!(
        make(&mut of("3/3"), 2),
        ["standard-9-00003", "standard-9-00006"]
    );
}

/// Only files that have changed are read again; an incomplete frame at the end does not count.
#[test]
fn a_folder_is_counted_while_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut inventory = FolderInventory::new(folder);
    assert_eq!(inventory.read().files, 0);
    make(&mut shards(folder, "standard-9", "1/1", &quick()), 2);
    let mut count = || {
        let inventory = inventory.read();
        let rows = inventory.rows();
        let rows = rows.map(|row| (row.files, row.unfinished, row.counts.games));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(count(), [(2, 0, 4)]);
    let path = folder.join("standard-9-00002.bin.zst");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, [&bytes[..], &bytes[..10]].concat()).unwrap();
    assert_eq!(count(), [(2, 1, 4)]);
    let mut again = shards(folder, "standard-9", "1/1", &quick());
    let shard = next_open(&mut again).0.unwrap();
    assert!(shard.name == "standard-9-00002" && shard.file.repair().is_some());
    play(shard);
    assert_eq!(count(), [(2, 0, 4)]);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn shards_that_cannot_be_continued_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("standard-9-00001.bin.zst");
    fs::write(&path, "something else").unwrap();
    let (shard, skipped) = next_open(&mut shards(folder.path(), "standard-9", "1/1", &quick()));
    assert_eq!(shard.unwrap().name, "standard-9-00002");
    assert!(
        skipped.len() == 1 && skipped[0].contains("use another file"),
        "{skipped:?}"
    );
    assert_eq!(fs::read(&path).unwrap(), b"something else");
}

#[test]
fn merged_files_have_all_games_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    make(
        &mut shards(folder, "standard-9,caro-10", "1/1", &quick()),
        3,
    );
    let path = |name: &str| folder.join(format!("{name}.bin.zst"));
    let files = ["standard-9-00001", "caro-10-00001", "standard-9-00002"].map(path);
    let all = folder.join("all");
    let mut warnings = Vec::new();
    let mut merge_as =
        |out: &Path, files: &[PathBuf]| merge(out, files, None, &mut |w| warnings.push(w));
    let inventory = merge_as(&all, &files).unwrap();
    assert_eq!((inventory.files, inventory.rows().count()), (3, 2));
    let games: Vec<_> = files.iter().flat_map(|file| read(file)).collect();
    assert_eq!(read(&all), games);
    assert_eq!(
        fs::read(&all).unwrap(),
        files.clone().map(|f| fs::read(f).unwrap()).concat()
    );
    let mut inventory = Inventory::default();
    inventory.add(&read_data_file(&all, &mut |_| {}).unwrap());
    assert_eq!(
        inventory.labels(Rule::Caro),
        games
            .iter()
            .filter(|g| g.rule == Rule::Caro)
            .map(|g| g.labels())
            .sum::<u64>()
    );
    // The same games twice, in two files or in one.
    let two = folder.join("two");
    let twice = merge_as(&two, &[files[0].clone(), all.clone()])
        .err()
        .unwrap();
    assert!(matches!(twice, MergeError::Duplicate(..)), "{twice}");
    let doubled = folder.join("doubled");
    fs::write(&doubled, fs::read(&files[0]).unwrap().repeat(2)).unwrap();
    assert!(merge_as(&two, &[doubled]).is_err());
    // Nothing is overwritten, and nothing incomplete is left.
    assert!(matches!(
        merge_as(&all, &files[..1]),
        Err(MergeError::Io(..))
    ));
    let mut bytes = fs::read(&files[1]).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&files[1], bytes).unwrap();
    assert!(matches!(merge_as(&two, &files), Err(MergeError::File(_))));
    assert!(!two.exists());
    assert_eq!(warnings, [""; 0]);
}
