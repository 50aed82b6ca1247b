#!/usr/bin/python3
"""Compares `whittle rank` with scikit-learn and numpy: scores, and time with reading the CSV file.

  tools/evidence/compare_sklearn.py PROGRAM [FOLDER]

PROGRAM is whittle; files are generated in FOLDER (default: a temporary one). Wants python3-sklearn,
python3-pandas and libopenblas0-pthread. Times are of the processor, on one thread; Python's leave
starting and importing out.
"""
import io
import os
import resource
import subprocess
import sys
import tempfile
import time

for variable in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[variable] = '1'

import numpy as np
import pandas as pd
from sklearn.feature_selection import VarianceThreshold, f_classif
from sklearn.neighbors import NearestNeighbors

SIZES = [(2000, 3000), (50000, 50)]
CLASSES = 3
NEIGHBOURS = 10


def generate(path, samples, features):
    """Normal noise; each third feature follows the class, the others differ in scale."""
    random = np.random.default_rng(1)
    label = random.integers(0, CLASSES, samples)
    x = random.normal(size=(samples, features)) * random.uniform(0.5, 1.5, features)
    x[:, ::3] += np.outer(label, random.uniform(0, 1, x[:, ::3].shape[1]))
    frame = pd.DataFrame(x, columns=[f'f{r}' for r in range(features)])
    frame['label'] = [f'c{c}' for c in label]
    frame.to_csv(path, index=False, float_format='%.6g')


def variance(x, _):
    return VarianceThreshold().fit(x).variances_


def fisher(x, y):
    """F is between / (C - 1) over within / (n - C), the Fisher score between / within."""
    return f_classif(x, y)[0] * (CLASSES - 1) / (len(x) - CLASSES)


def laplacian(x, _):
    """f'Lf / sum D (f - mu_D)^2 on the symmetric neighbour graph, lambda the mean over its edges."""
    graph = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(x).kneighbors_graph(mode='distance')
    s = graph.maximum(graph.T)
    squared = s.data ** 2
    s.data = np.exp(-squared / squared.mean())
    degree = np.asarray(s.sum(axis=1)).ravel()
    centred = x - (degree @ x) / degree.sum()
    spread = degree @ centred ** 2
    return 1 - np.einsum('ir,ir->r', centred, s @ centred) / spread


# whittle's selector and parameters, what computes the same, whether smaller is better, runs
SCORES = [
    ('variance', [], 'VarianceThreshold', variance, False, 3),
    ('fisher', [], 'f_classif', fisher, False, 3),
    ('ls', ['--param', 'use_labels=0'], 'NearestNeighbors, numpy', laplacian, True, 1),
]


def run_whittle(program, path, selector, parameters):
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([program, 'rank', path, '--selector', selector, '--format', 'csv']
                            + parameters, check=True, capture_output=True, text=True).stdout
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    table = pd.read_csv(io.StringIO(output)).sort_values('rank')
    seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    return seconds, table['index'].to_numpy(), table['score'].to_numpy()


def run_python(path, score):
    begin = time.process_time()
    frame = pd.read_csv(path)
    x, y = frame.drop(columns='label').to_numpy(), frame['label'].to_numpy()
    read = time.process_time()
    scores = score(x, y)
    return time.process_time() - begin, read - begin, scores


def compare(program, path, size):
    for selector, parameters, name, score, ascending, runs in SCORES:
        ours = [run_whittle(program, path, selector, parameters) for _ in range(runs)]
        theirs = [run_python(path, score) for _ in range(runs)]
        _, order, scores = ours[0]
        reference = theirs[0][2]
        best_first = np.argsort(reference if ascending else -reference, kind='stable')
        error = np.max(np.abs(scores / reference[order] - 1))
        total, read, _ = min(theirs, key=lambda run: run[0])
        print(f'| {size} | `{selector}` | {min(run[0] for run in ours):.2f} | {name} | '
              f'{total:.2f} | {read:.2f} | {error:.0e} | {np.count_nonzero(order != best_first)} |',
              flush=True)


def main():
    program = sys.argv[1]
    print('| file | selector | whittle rank, s | the same by | s | of it reading | scores differ by '
          '| places differ |\n|---|---|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as temporary:
        folder = sys.argv[2] if len(sys.argv) > 2 else temporary
        for samples, features in SIZES:
            path = os.path.join(folder, f'{samples}x{features}.csv')
            generate(path, samples, features)
            compare(program, path, f'{samples} x {features}')


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
