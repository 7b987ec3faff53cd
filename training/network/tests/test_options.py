import pytest

from options import output_file
from train import arguments


@pytest.mark.parametrize("wrong", [
    ["--asymmetry", "1.5"], ["--asymmetry", "-2"], ["--td-lambda", "1.1"], ["--td-lambda", "nan"],
    ["--result-weight", "-0.1"], ["--policy-weight", "-1"], ["--batch-size", "0"],
    ["--row-step", "3"], ["--seed", str(2**61)], ["--seed", "9" * 400],
    ["--channels", "48"], ["--channels", "160"], ["--hidden", "0"], ["--hidden", "wide"],
    ["--rules", "standard,caro7"], ["--threads", "2.5"], ["--freeze", "all"], ["--distill-weight", "1"],
    ["--device", "gpu"], ["--device", "cuda:99"], ["--program", "none/tengen-train"], ["--program", "."],
])
def test_bad_values_are_refused_with_one_line(wrong, capsys):
    with pytest.raises(SystemExit) as exit:
        arguments(["games", *wrong])
    assert exit.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and wrong[0] in error, error


def test_values_at_the_bounds_are_taken():
    options = arguments(["games", "--asymmetry", "-1", "--td-lambda", "0", "--cooldown", "1"])
    assert (options.asymmetry, options.td_lambda, options.cooldown) == (-1, 0, 1)


def test_an_output_that_cannot_be_written_is_refused_before_anything_else(tmp_path, capsys):
    file = tmp_path / "file"
    file.write_text("old")
    assert output_file(str(file)) == str(file) and file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    for wrong in (tmp_path, tmp_path / "none" / "network.tgnn", file / "network.tgnn"):
        with pytest.raises(SystemExit):
            arguments(["games", "--out", str(wrong)])
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and f"{wrong} cannot be written" in error, error
