from origin import SAMPLED, difference, fingerprints


def test_a_difference_is_named(tmp_path):
    for name, size in (("a.bin.zst", 3 * SAMPLED), ("b.bin.zst", 10), ("c.txt", 5)):
        (tmp_path / name).write_bytes(bytes(size))

    def origin(**options):
        named = {"--" + name.replace("_", "-"): value for name, value in options.items()}
        return {"games": fingerprints([tmp_path], "*.bin.zst"), **named}

    first = origin(rate=0.1, max_games=None)
    assert [name for name, *_ in first["games"]] == ["a.bin.zst", "b.bin.zst"]
    assert difference(first, origin(rate=0.1, max_games=None)) is None
    assert difference(first, origin(rate=0.2, max_games=None)) == "--rate was 0.1, now it is 0.2"
    assert difference(first, origin(rate=0.1, max_games=7)) == "--max-games was not given, now it is 7"
    (tmp_path / "a.bin.zst").write_bytes(bytes(3 * SAMPLED - 1) + b"\1")
    assert difference(first, origin()) == "games: a.bin.zst has changed"
    (tmp_path / "a.bin.zst").write_bytes(bytes(3 * SAMPLED))
    (tmp_path / "ab.bin.zst").write_bytes(b"")
    assert difference(first, origin()) == "games: ab.bin.zst is new"
    (tmp_path / "ab.bin.zst").unlink()
    (tmp_path / "b.bin.zst").unlink()
    assert difference(first, origin()) == "games: b.bin.zst is missing"
    both = fingerprints([tmp_path / "a.bin.zst", tmp_path / "c.txt"], "*")
    assert difference({"games": both}, {"games": both[::-1]}) == "games: c.txt has another place in the order"
