"""Programs for scripts/bench_halide: a plain loop, the same thing said in Halide, and a schedule by hand.

Arrays lie row by row in the loops and have their innermost dimension first in Halide. Schedules by hand follow Halide's own: the product's
that of its test/performance/matrix_multiplication.cpp without a factored reduction, the stencils' its apps/blur; a row's
reduction is split into vectors by rfactor. Extents of rows are said to be multiples of a vector, which spares Halide what guards the rest.
"""
import dataclasses
import typing

BLUR = """
void blur(int height, int width, const float *in, float *out) {
  for (int i = 1; i < height - 1; i++)
    for (int j = 1; j < width - 1; j++) {
      float sum = 0.0f;
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) sum += in[(i + y) * width + j + x];
      out[i * width + j] = sum / 9.0f;
    }
}
"""
SWEEP = """
void sweep(int n, const double *a, double *b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]);
}
"""


@dataclasses.dataclass
class Program:
    """`build(hl, target)` gives the inputs in the order of the parameters, the output and what schedules it by hand; the loop is in
    `file` or `text`; shapes are row by row; outputs begin `margin` elements within their array."""
    name: str
    entry: str
    file: str
    text: str
    sizes: dict
    shapes: dict
    margin: int
    build: typing.Callable


def matrix(hl, name, element, lanes):
    given = hl.ImageParam(element, 2, name)
    given.dim(0).set_min(0).set_extent(given.dim(0).extent() // lanes * lanes)
    given.dim(1).set_min(0)
    return given


def reduced(hl, func, along, row, lanes):
    """A row's reduction by hand: a vector of partial results, then these; computed for each row of `row`, a function and its variable."""
    outer, inner, lane = hl.RVar("outer"), hl.RVar("inner"), hl.Var("lane")
    func.compute_at(*row)
    func.update().split(along.x, outer, inner, 4 * lanes)
    parts = func.update().rfactor(inner, lane)
    parts.compute_at(*row).vectorize(lane, lanes)
    parts.update().reorder(lane, outer).vectorize(lane, lanes).unroll(lane)


def product(hl, target):
    lanes = target.natural_vector_size(hl.Float(32))
    a, b = matrix(hl, "a", hl.Float(32), lanes), matrix(hl, "b", hl.Float(32), lanes)
    i, j, ii, ji, tile, inner = (hl.Var(v) for v in ("i", "j", "ii", "ji", "tile", "inner"))
    k = hl.RDom([(0, a.width())], "k")
    sums, c = hl.Func("sums"), hl.Func("c")
    sums[j, i] = hl.f32(0)
    sums[j, i] += a[k.x, i] * b[j, k.x]
    c[j, i] = sums[j, i]

    def by_hand():
        c.tile(j, i, ji, ii, 3 * lanes, 64).split(ii, ii, inner, 8).vectorize(ji, lanes).unroll(ji).unroll(inner).fuse(j, i, tile).parallel(tile)
        sums.compute_at(c, ii).vectorize(j, lanes).unroll(j).unroll(i)
        sums.update().reorder(j, i, k.x).vectorize(j, lanes).unroll(j).unroll(i)

    return [a, b], c, by_hand


def shifted(hl, target):
    """The rows of x, their maxima and the sums of exponentials without these."""
    lanes = target.natural_vector_size(hl.Float(32))
    x, i = matrix(hl, "x", hl.Float(32), lanes), hl.Var("i")
    r, s = hl.RDom([(0, x.width())], "r"), hl.RDom([(0, x.width())], "s")
    most, sums = hl.Func("most"), hl.Func("sums")
    most[i] = hl.f32(-3.4e38)
    most[i] = hl.max(most[i], x[r.x, i])
    sums[i] = hl.f32(0)
    sums[i] += hl.exp(x[s.x, i] - most[i])
    return lanes, x, i, most, r, sums, s


def softmax(hl, target):
    lanes, x, i, most, r, sums, s = shifted(hl, target)
    y, j = hl.Func("y"), hl.Var("j")
    y[j, i] = hl.exp(x[j, i] - most[i]) / sums[i]

    def by_hand():
        y.parallel(i, 8).vectorize(j, lanes)
        reduced(hl, most, r, (y, i), lanes)
        reduced(hl, sums, s, (y, i), lanes)

    return [x], y, by_hand


def log_of_sums(hl, target):
    lanes, x, i, most, r, sums, s = shifted(hl, target)
    y = hl.Func("y")
    y[i] = most[i] + hl.log(sums[i])

    def by_hand():
        y.parallel(i, 8)
        reduced(hl, most, r, (y, i), lanes)
        reduced(hl, sums, s, (y, i), lanes)

    return [x], y, by_hand


def variance(hl, target):
    lanes = target.natural_vector_size(hl.Float(32))
    x, i = matrix(hl, "x", hl.Float(32), lanes), hl.Var("i")
    r, s = hl.RDom([(0, x.width())], "r"), hl.RDom([(0, x.width())], "s")
    total, squares, result = hl.Func("total"), hl.Func("squares"), hl.Func("result")
    total[i] = hl.f32(0)
    total[i] += x[r.x, i]
    far = x[s.x, i] - total[i] / hl.f32(x.width())
    squares[i] = hl.f32(0)
    squares[i] += far * far
    result[i] = squares[i] / hl.f32(x.width())

    def by_hand():
        result.parallel(i, 8)
        reduced(hl, total, r, (result, i), lanes)
        reduced(hl, squares, s, (result, i), lanes)

    return [x], result, by_hand


def blur(hl, target):
    lanes = target.natural_vector_size(hl.Float(32))
    given = hl.ImageParam(hl.Float(32), 2, "in")
    i, j, ii = hl.Var("i"), hl.Var("j"), hl.Var("ii")
    along, out = hl.Func("along"), hl.Func("out")
    along[j, i] = given[j - 1, i] + given[j, i] + given[j + 1, i]
    out[j, i] = (along[j, i - 1] + along[j, i] + along[j, i + 1]) / hl.f32(9)

    def by_hand():
        out.split(i, i, ii, 32).parallel(i).vectorize(j, lanes)
        along.store_at(out, i).compute_at(out, j).vectorize(j, lanes)

    return [given], out, by_hand


def sweep(hl, target):
    lanes = target.natural_vector_size(hl.Float(64))
    a, i, j, b = hl.ImageParam(hl.Float(64), 2, "a"), hl.Var("i"), hl.Var("j"), hl.Func("b")
    b[j, i] = hl.f64(0.2) * (a[j, i] + a[j - 1, i] + a[j + 1, i] + a[j, i + 1] + a[j, i - 1])

    def by_hand():
        b.parallel(i, 16).vectorize(j, lanes)

    return [a], b, by_hand


ROWS = {"x": ["rows", "columns"], "y": ["rows", "columns"]}
PROGRAMS = {p.name: p for p in (
    Program("gemm", "matmul", "inputs/matmul.cpp", "", {"n": 1024, "m": 1152, "p": 1024}, {"a": ["n", "p"], "b": ["p", "m"], "c": ["n", "m"]}, 0, product),
    Program("row_softmax", "row_softmax", "inputs/row_softmax.cpp", "", {"rows": 2048, "columns": 4096}, ROWS, 0, softmax),
    Program("log_sum_exp", "log_sum_exp", "inputs/log_sum_exp.cpp", "", {"rows": 2048, "columns": 4096}, ROWS | {"y": ["rows"]}, 0, log_of_sums),
    Program("variance", "variance", "inputs/variance.cpp", "", {"rows": 2048, "columns": 4096}, {"x": ["rows", "columns"], "result": ["rows"]}, 0, variance),
    Program("blur", "blur", "", BLUR, {"height": 2048, "width": 4096}, {"in": ["height", "width"], "out": ["height", "width"]}, 1, blur),
    Program("jacobi_sweep", "sweep", "", SWEEP, {"n": 2048}, {"a": ["n", "n"], "b": ["n", "n"]}, 1, sweep),
)}
