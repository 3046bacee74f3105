"""Places: noise on them, and mechanisms between the cells of a grid."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import warnings
from decimal import Decimal
from fractions import Fraction

import pytest

import lookalike
from lookalike import geo

np = pytest.importorskip("numpy")

TURIN = (45.07, 7.69)
METRES_OF_DEGREE = 111_132


@pytest.fixture(scope="module")
def noise() -> geo.PlanarNoise:
    return geo.planar(epsilon="5/km", origin=TURIN)


@pytest.fixture(scope="module")
def cells() -> lookalike.Mechanism:
    return geo.planar_cells(geo.grid(4, 3, step=100, origin=TURIN), epsilon="5/km")


def around(count: int, seed: int = 1, spread: float = 0.01):
    chance = np.random.default_rng(seed)
    return TURIN[0] + chance.uniform(-spread, spread, count), TURIN[1] + chance.uniform(-spread, spread, count)


@pytest.mark.parametrize("epsilon", [0.005, "0.005", "5/km", Fraction(1, 200), Decimal("0.005"), "1/0.2km", np.float64(0.005)])
@pytest.mark.parametrize("extent", [20_000, 20_000.0, "20km", "20000m", Fraction(20_000)])
def test_numbers_are_exact_however_they_are_written(noise, epsilon, extent):
    assert geo.planar(epsilon=epsilon, origin=TURIN, extent=extent) == noise
    assert noise.epsilon_text == "1/200" and noise.region.extent == 20_000
    assert (noise.region.latitude, noise.region.longitude) == (Fraction("45.07"), Fraction("7.69"))


def test_the_claim_is_proved_with_the_stretch_and_the_rounding(noise):
    proof = noise.certify()
    # The bound is rounded up, and the claim to the nearest double.
    assert proof.upper <= math.nextafter(noise.epsilon, 1) and proof.proof == "closed form"
    assert 1 <= noise.stretch < 1.001 and noise.grid == Fraction(1, 8)
    assert math.sqrt(2) * noise.grid <= noise.resolution < 0.18
    assert noise.epsilon_at(200) == pytest.approx(0.005 * (200 + noise.resolution))
    radius = geo.planar(level="ln(4)", radius="0.2km", origin=TURIN)
    assert radius.epsilon_at(200) == pytest.approx(math.log(4)) and radius.epsilon_at(200) >= math.log(4)


def test_the_errors_of_releases_are_those_that_are_told(noise):
    count = 40_000
    latitudes, longitudes = np.full(count, TURIN[0]), np.full(count, TURIN[1])
    released = noise.privatize(latitudes, longitudes, seed=7)
    north = (released[0] - TURIN[0]) * METRES_OF_DEGREE
    east = (released[1] - TURIN[1]) * METRES_OF_DEGREE * math.cos(math.radians(TURIN[0]))
    distance = np.hypot(north, east)
    assert distance.mean() == pytest.approx(noise.mean_error, rel=0.02)
    for p in (0.25, 0.5, 0.95):
        assert (distance <= noise.quantile(p)).mean() == pytest.approx(p, abs=0.012)


def test_columns_come_back_in_their_kind_and_with_the_same_draws(noise):
    latitudes, longitudes = around(50)
    first = noise.privatize(latitudes, longitudes, seed=3)
    assert all(column.dtype == np.float64 for column in first)
    assert noise.privatize(latitude=latitudes, longitude=longitudes, seed=3)[0].tolist() == first[0].tolist()
    as_lists = noise.privatize(latitudes.tolist(), tuple(longitudes.tolist()), seed=3)
    assert (as_lists[0], as_lists[1]) == (first[0].tolist(), tuple(first[1].tolist()))
    texts = noise.privatize([repr(float(number)) for number in latitudes], longitudes.tolist(), seed=3)
    assert texts[0] == first[0].tolist()
    strided = noise.privatize(np.column_stack([latitudes, longitudes])[:, 0], longitudes[::-1][::-1], seed=3)
    assert strided[0].tolist() == first[0].tolist()
    assert noise.privatize(float(latitudes[0]), np.float64(longitudes[0]), seed=3) == (first[0][0], first[1][0])
    assert noise.privatize([], [], seed=3) == ([], [])
    assert noise.privatize(latitudes, longitudes)[0].tolist() != noise.privatize(latitudes, longitudes)[0].tolist()


def test_batches_do_not_matter(noise):
    latitudes, longitudes = around(70_000)
    whole = noise.privatize(latitudes, longitudes, seed=5)
    assert noise.privatize(latitudes[:10], longitudes[:10], seed=5)[1].tolist() == whole[1][:10].tolist()
    singles = noise.privatize(latitudes.astype(object), longitudes, seed=5)
    assert singles[0].dtype == np.float64 and singles[0].tolist() == whole[0].tolist()


def test_pandas(noise):
    pd = pytest.importorskip("pandas")
    latitudes, longitudes = around(6)
    expected = noise.privatize(latitudes, longitudes, seed=1)
    frame = pd.DataFrame({"who": list("abcdef"), "Lat": latitudes, "lng": longitudes}, index=range(10, 16))
    north, east = noise.privatize(frame["Lat"], frame["lng"], seed=1)
    assert north.name == "Lat" and list(east.index) == list(frame.index) and east.tolist() == expected[1].tolist()
    released = noise.privatize(frame, keep=["who"], seed=1)
    assert list(released.columns) == ["Lat", "lng", "who"] and list(released.index) == list(frame.index)
    assert released["Lat"].tolist() == expected[0].tolist() and released["who"].tolist() == list("abcdef")
    assert frame["Lat"].tolist() == latitudes.tolist(), "the input stays"
    twice = pd.concat([frame, frame])
    assert noise.privatize(twice, seed=1)["lng"].tolist()[:6] == expected[1].tolist()
    shuffled = noise.privatize(frame, keep="who", seed=1, shuffle=True)
    assert list(shuffled.index) == list(range(6)) and shuffled["who"].tolist() != list("abcdef")
    rows = {who: place for who, *place in zip("abcdef", *expected)}
    assert {who: place for *place, who in shuffled.itertuples(index=False)} == rows


def test_series_with_different_indexes_are_not_paired(noise, cells):
    pd = pytest.importorskip("pandas")
    latitudes, longitudes = around(2, spread=0.0005)
    north, east = pd.Series(latitudes, index=[0, 1]), pd.Series(longitudes, index=[1, 0])
    for call in (noise.privatize, cells.privatize_places, cells.places.counts):
        for pair in [(north, east), (north.to_frame(), east), (north, east.to_frame())]:
            with pytest.raises(lookalike.InputError, match="their indexes differ.*reset_index") as found:
                call(*pair)
            assert not any(str(degrees) in str(found.value) for degrees in (*latitudes, *longitudes))
        with pytest.raises(lookalike.InputError, match="their indexes differ"):
            call(latitude=north, longitude=east)
    expected = [column.tolist() for column in noise.privatize(latitudes, longitudes, seed=1)]
    for pair in [
        (north, east.reset_index(drop=True)),
        (north.set_axis(["a", "b"]), east.set_axis(["a", "b"])),
        (north, longitudes),
        (latitudes, east),
    ]:
        assert [column.tolist() for column in noise.privatize(*pair, seed=1)] == expected
    with pytest.raises(lookalike.InputError, match='column "latitude" has 1 rows'):
        noise.privatize(north[:1], east)


def test_an_index_of_pandas_is_not_released(noise, cells):
    pd = pytest.importorskip("pandas")
    latitudes, longitudes = around(4, spread=0.0005)
    frame = pd.DataFrame({"lat": latitudes, "lon": longitudes, "who": list("abcd")})
    for index in (["lat", "lon"], ["lat"], ["who"]):
        named = frame.set_index(index, drop=False)
        for release in (noise.privatize, cells.privatize_places):
            for keep in ([], ["who"]):
                released = release(named, keep=keep, seed=1)
                pd.testing.assert_frame_equal(released, release(frame, keep=keep, seed=1))
                assert type(released.index) is pd.RangeIndex and released.index.name is None
            for column in release(named["lat"], named["lon"], seed=1):
                assert type(column.index) is pd.RangeIndex and list(column.index) == [0, 1, 2, 3]
        assert list(named.index.names) == index, "the input stays"
    counted = frame.set_index(pd.RangeIndex(10, 18, 2))
    assert list(noise.privatize(counted).index) == [10, 12, 14, 16]
    pair = noise.privatize(counted["lat"], pd.Series(longitudes, index=[10, 12, 14, 16]))
    assert [list(column.index) for column in pair] == [[10, 12, 14, 16]] * 2, "still a pair"
    kept = noise.privatize(frame.set_index("who").reset_index(), keep=["who"])
    assert kept["who"].tolist() == list("abcd")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_copy_of_the_place_is_not_kept(noise, cells, library):
    module = pytest.importorskip(library)
    columns = {"lat": [45.0701], "lon": [7.6901], "Latitude": [45.0701], "LNG": [7.6901], "longest": [3]}
    frame = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    for release in (noise.privatize, cells.privatize_places):
        for name in ("Latitude", "LNG"):
            with pytest.raises(lookalike.InputError, match=f'keep="{name}": this is the place.*rename it'):
                release(frame, latitude="lat", longitude="lon", keep=["longest", name])
        assert len(release(frame, latitude="lat", longitude="lon", keep=["longest"]).columns) == 3


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_polars_and_pyarrow(noise, library):
    module = pytest.importorskip(library)
    latitudes, longitudes = around(6)
    expected = noise.privatize(latitudes, longitudes, seed=1)
    columns = {"y": latitudes.tolist(), "x": longitudes.tolist(), "who": list("abcdef")}
    frame = module.DataFrame(columns) if library == "polars" else module.table(columns)
    released = noise.privatize(frame, latitude="y", longitude="x", keep=["who"], seed=1)
    assert type(released) is type(frame)
    found = released.to_dict(as_series=False) if library == "polars" else released.to_pydict()
    assert found == {"y": expected[0].tolist(), "x": expected[1].tolist(), "who": list("abcdef")}
    column = noise.privatize(frame["y"], frame["x"], seed=1)[0]
    assert type(column) is type(frame["y"]) and column.to_numpy().tolist() == expected[0].tolist()
    shuffled = noise.privatize(frame, latitude="y", longitude="x", keep=["who"], seed=1, shuffle=True)
    found = shuffled.to_dict(as_series=False) if library == "polars" else shuffled.to_pydict()
    rows = dict(zip("abcdef", zip(*expected)))
    assert dict(zip(found["who"], zip(found["y"], found["x"]))) == rows and found["who"] != list("abcdef")


def test_a_relation_of_duckdb_is_a_table(noise):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    relation = duckdb.sql("select 45.07::double as lat, 7.69::double as lon")
    assert noise.privatize(relation, seed=1).to_pydict() == {
        name: [number] for name, number in zip(["lat", "lon"], noise.privatize(*TURIN, seed=1))
    }


WRONG = [
    ([45.0777777, None], [7.69, 7.69], 'row 2, column "latitude": null'),
    ([45.0777777, math.nan], [7.69, 7.69], 'row 2, column "latitude": not a finite number'),
    ([45.0777777, 44.0777777], [7.69, 7.69], 'row 2, columns "latitude" and "longitude": a place outside the region'),
    ([7.69], [45.0777777], "latitude and longitude seem to be swapped"),
    ([450777777], [76900000], "divide them by 10000000"),
    (["45.07", "45,0777777"], [7.69, 7.69], "not a comma"),
    ([45.0777777], [7.69, 7.69], 'column "latitude" has 1 rows'),
]


@pytest.mark.parametrize("latitudes, longitudes, message", WRONG)
def test_errors_name_the_row_and_never_the_place(noise, cells, latitudes, longitudes, message):
    with pytest.raises(lookalike.InputError) as found:
        noise.privatize(latitudes, longitudes)
    assert message in str(found.value) and "777" not in str(found.value)
    with pytest.raises(lookalike.InputError) as found:
        cells.privatize_places(latitudes, longitudes)
    assert "777" not in str(found.value)


def test_noise_on_places_has_a_page(noise):
    page = noise.html()
    assert page.startswith("<!DOCTYPE html>") and "places with noise" in page and "What is not promised" in page


def test_what_the_command_line_warns_of_is_warned_of(noise, cells):
    place, other = TURIN
    with pytest.warns(lookalike.PrivacyWarning, match="rows of one person add up: .*all 3 together 3 times") as told:
        noise.privatize([place] * 3, [other] * 3, seed=1)
    assert told[0].filename == __file__, "the caller is told"
    with pytest.warns(lookalike.PrivacyWarning, match="rows of one person add up"):
        cells.privatize_places([place] * 2, [other] * 2, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        noise.privatize([place], [other], seed=1)
        cells.places.counts([place] * 3, [other] * 3)
    with pytest.warns(lookalike.PrivacyWarning, match="cells of 100 m are coarse for this epsilon") as told:
        geo.planar_cells(geo.grid(2, 2, step=100, origin=TURIN), epsilon="1/10")
    assert told[0].filename == __file__
    with pytest.warns(lookalike.PrivacyWarning, match="a grid of 1 is coarse .*grid=\"1/16\" loses less than 5 %") as told:
        lookalike.noise.laplace(epsilon=1, sensitivity="0.3")
    assert told[0].filename == __file__
    with pytest.warns(lookalike.PrivacyWarning, match="sensitivity=5 needs less noise"):
        lookalike.noise.laplace(epsilon=1, sensitivity=6, clamp=(0, 5))


def test_wrong_calls_say_what_is_expected(noise):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [45.07], "lon": [7.69]})
    for call, message in [
        (lambda: noise.privatize([45.07]), "longitudes are missing"),
        (lambda: noise.privatize([45.07], [7.69], keep=["a"]), "keep: expected for a data frame only"),
        (lambda: noise.privatize([45.07], [7.69], latitude="a"), "two columns were given"),
        (lambda: noise.privatize(frame), "no column for the latitude, expected one of latitude, lat"),
        (lambda: noise.privatize(frame, latitude="b"), "column 'b': not found; the columns are 'a', 'lon'"),
        (lambda: noise.privatize(frame, latitude="a", keep=["a"]), 'keep="a": this is the private column'),
        (lambda: noise.quantile(1), "probability"),
        (lambda: geo.planar(origin=TURIN), "either epsilon, or level and radius"),
        (lambda: geo.planar(epsilon=1, level=1, radius=1, origin=TURIN), "either epsilon, or level and radius"),
        (lambda: geo.planar(epsilon=4, origin=TURIN), "is it per kilometre?"),
        (lambda: geo.planar(epsilon=0.01, origin=(145, 7)), "latitude 145 is beyond 90"),
        (lambda: geo.planar(epsilon=0.01, origin=TURIN, extent="3mi"), "extent"),
        (lambda: geo.planar(epsilon=0.01, origin=TURIN, grid=0.1), "power of two"),
        (lambda: geo.grid(40, 40, step=100, origin=TURIN), "at most 1024"),
        (lambda: geo.optimal(geo.grid(2, 2, step=100, origin=TURIN), level=1), "level and one of radius and within"),
        (lambda: geo.grid(0, 4, step=100, origin=TURIN), "columns"),
    ]:
        with pytest.raises(lookalike.InputError) as found:
            call()
        assert message in str(found.value)
    with pytest.raises(TypeError, match="like .52.52, 13.405."):
        geo.planar(epsilon=0.01, origin=45.07)


def test_progress_and_interruption(noise):
    latitudes, longitudes = around(200_000)

    def stop(stage, done, total):
        raise KeyError(stage)

    with pytest.raises(KeyError, match="privatizing"):
        noise.privatize(latitudes, longitudes, progress=stop)


def test_noise_and_cells_survive_files_pickles_and_json(noise, cells, tmp_path):
    for mechanism in (noise, cells):
        path = tmp_path / "m.json"
        mechanism.save(path, overwrite=True)
        assert lookalike.load(path) == mechanism == pickle.loads(pickle.dumps(mechanism))
        assert type(mechanism).from_json(mechanism.to_json()).certify() == mechanism.certify()
    assert lookalike.load(path).places == cells.places == pickle.loads(pickle.dumps(cells.places))
    assert lookalike.local.oracle("k-rr", 3, epsilon=1).places is None
    false = json.loads(noise.to_json()) | {"epsilon": "1/300"}
    with pytest.raises(lookalike.PrivacyError):
        geo.PlanarNoise.from_json(json.dumps(false)).privatize(*TURIN)


def test_a_grid_knows_its_cells():
    grid = geo.grid(4, 3, step="0.1km", origin=TURIN)
    assert (grid.columns, grid.rows, grid.step, len(grid)) == (4, 3, 100, 12)
    assert grid.cells[:5] == ["0,0", "1,0", "2,0", "3,0", "0,1"]
    for cell in grid.cells:
        assert grid.cell_of(*grid.place_of(cell)) == cell
    assert grid.place_of((3, 2)) == grid.place_of("3,2") and grid.cell_of(0, 0) is None
    assert grid.place_of("0,2")[0] > grid.place_of("0,0")[0] and grid.place_of("3,0")[1] > grid.place_of("0,0")[1]
    with pytest.raises(lookalike.InputError, match="none of the cells"):
        grid.place_of("4,0")
    latitudes, longitudes = around(5000)
    counts = grid.counts(latitudes, longitudes, skip_outside=True)
    inside = [grid.cell_of(*place) for place in zip(latitudes, longitudes)]
    assert counts == [inside.count(cell) for cell in grid.cells]
    with pytest.raises(lookalike.InputError, match="outside the grid"):
        grid.counts(latitudes, longitudes)


@pytest.mark.parametrize("make", [geo.optimal, geo.truncated, geo.planar_cells])
def test_mechanisms_between_cells_keep_epsilon_for_each_metre(make):
    grid = geo.grid(3, 3, step=100, origin=TURIN)
    mech = make(grid, epsilon="ln(2)/100")
    assert mech.certify().edges == 36
    rows = mech.matrix(dtype=float)
    for a, b, steps in [(0, 1, 1), (0, 4, math.sqrt(2)), (0, 8, 2 * math.sqrt(2)), (3, 5, 2)]:
        assert rows[a].max() > 0 and (rows[a] <= rows[b] * 2**steps * (1 + 1e-12)).all()
    latitudes, longitudes = zip(*(grid.place_of(cell) for cell in grid.cells))
    released = mech.privatize_places(np.array(latitudes * 20), np.array(longitudes * 20), seed=1)
    cells = [grid.cell_of(*place) for place in zip(*released)]
    assert None not in cells and cells == mech.privatize(grid.cells * 20, seed=1)


def test_the_optimum_is_best_and_remapping_helps():
    grid = geo.grid(4, 4, step=100, origin=TURIN)
    prior = {"1,1": 5, (2, 2): 3, "0,3": "1/2", "3,0": 1}
    listed = [{"1,1": 5, "2,2": 3, "0,3": "1/2", "3,0": 1}.get(cell, 0) for cell in grid.cells]
    plain = geo.planar_cells(grid, epsilon="5/km")
    for loss in ("euclidean", "squared", "within:150m"):
        best = geo.optimal(grid, epsilon="5/km", prior=prior, loss=loss)
        assert best == geo.optimal(grid, epsilon="5/km", prior=np.array(listed, dtype=object), loss=loss)
        better = geo.remap(plain, prior, loss)
        values = [geo.expected_loss(mechanism, prior, loss) for mechanism in (best, better, plain)]
        assert values == sorted(values) and values[0] < values[2]
        assert best.objective["lower_bound"] <= values[0] * (1 + 1e-9) and best.objective["name"] == loss
        assert better.objective["before"] == pytest.approx(values[2])
        assert better.epsilon_text == plain.epsilon_text and better.places == grid
    faster = geo.optimal(grid, epsilon="5/km", spanner=1.5)
    assert faster.report["edges"] < 120 and faster.certify().edges == 120


def test_errors_are_between_the_middles_of_cells(cells):
    found = geo.errors(cells)
    assert found.mean == pytest.approx(geo.expected_loss(cells))
    assert found.quantile(0) == 0 and found.quantile(1) == pytest.approx(100 * math.sqrt(9 + 4))
    assert found.within(1) == pytest.approx(sum(row[at] for at, row in enumerate(cells.matrix(dtype=float))) / 12)
    certain = geo.errors(cells, {"0,0": 1})
    assert certain.within(1) == pytest.approx(float(cells.channel()[0][0]))
    assert repr(found).startswith("Errors(mean ")


def test_mechanisms_without_places_are_refused():
    mech = lookalike.local.oracle("k-rr", 3, epsilon=1)
    for call in (geo.errors, geo.remap, geo.expected_loss, geo.cell_map, lambda mech: mech.privatize_places([1], [1])):
        with pytest.raises(lookalike.InputError, match="between"):
            call(mech)
    with pytest.raises(TypeError, match="geo.grid makes one"):
        geo.optimal((4, 4), epsilon=1)


def test_pictures(noise, cells):
    assert "the true place" in noise.svg() and noise.svg().startswith("<svg")
    assert noise._repr_html_().count("<img") == 1 and "Certified" in noise._repr_html_()
    assert cells._repr_html_().count("<img") == 2
    assert geo.cell_map(cells, (0, 0)) == geo.cell_map(cells, "0,0") != geo.cell_map(cells)
    with pytest.raises(lookalike.InputError, match="none of the cells"):
        geo.cell_map(cells, "9,9")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert "metres east" in noise.plot().get_xlabel()


def test_an_audit_finds_nothing(noise):
    assert not lookalike.audit(noise, draws=20_000, seed=1).is_evidence


def test_the_command_line_writes_the_same_files_and_draws(command, tmp_path):
    def run(*words: str) -> None:
        subprocess.run([command, *words], check=True, capture_output=True, cwd=tmp_path)

    run("geo", "design", "--origin", "45.07,7.69", "--extent", "20km", "--level", "ln(4)", "--radius", "200m", "-o", "n.json")
    noise = geo.planar(level="ln(4)", radius=200, origin=TURIN)
    assert (tmp_path / "n.json").read_text() == noise.to_json()
    run("geo", "design", "--origin", "45.07,7.69", "--cells", "4x3", "--step", "100m", "--epsilon", "5/km", "-o", "c.json")
    cells = geo.optimal(geo.grid(4, 3, step=100, origin=TURIN), epsilon="5/km")
    assert (tmp_path / "c.json").read_text() == cells.to_json()
    for word, found in [
        ("--radius", geo.optimal(cells.places, level="ln(4)", radius=1000)),
        ("--within", geo.optimal(cells.places, level="ln(4)", within=1000)),
    ]:
        cut = ("--cells", "4x3", "--step", "100m", "--level", "ln(4)", word, "1km", "-o", "l.json", "--force")
        run("geo", "design", "--origin", "45.07,7.69", *cut)
        assert (tmp_path / "l.json").read_text() == found.to_json()
    run("geo", "remap", "c.json", "-o", "r.json")
    assert (tmp_path / "r.json").read_text() == geo.remap(cells).to_json()
    latitudes, longitudes = around(20, spread=0.001)
    rows = "".join(f"{north!r},{east!r}\n" for north, east in zip(latitudes.tolist(), longitudes.tolist()))
    (tmp_path / "in.csv").write_text("lat,lon\n" + rows)
    for file, release in [("n.json", noise.privatize), ("c.json", cells.privatize_places)]:
        run("geo", "privatize", file, "in.csv", "-o", "out.csv", "--seed", "4", "--force")
        lines = (tmp_path / "out.csv").read_text().splitlines()[1:]
        found = [tuple(map(float, line.split(","))) for line in lines]
        assert found == list(zip(*(column.tolist() for column in release(latitudes, longitudes, seed=4))))
