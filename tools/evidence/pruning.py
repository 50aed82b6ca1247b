#!/usr/bin/python3
"""Measures what masks found by streaming are worth: docs/pruning_evidence.md.

  tools/evidence/pruning.py PROGRAM DATA [--tune | --simulate] [--selector ID] [--seeds N]
                             [--only NAME]... [--csv FILE]

PROGRAM is whittle; DATA is a folder with the CSV files named in SETS (docs/pruning_evidence.md says
where they come from). Wants python3-sklearn and python3-pandas. Prints tables in Markdown; --csv
writes every number behind them. --tune compares selectors on the validation part instead, and never
looks at the held-back part; --simulate only simulates, for bytes, energy and drift.

A file is cut into blocks, of consecutive rows where rows are in order of time, and the blocks are
dealt at random: 60 % to the stream, 20 % to validation, 20 % held back. All that whittle sees is the
stream, in the order of the file, with the labels of 1, 5 or 10 % of its rows.
"""
import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import warnings

for variable in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[variable] = '1'

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

warnings.filterwarnings('ignore', category=UserWarning)  # a class that a part has not

# name: rows are in order of time
SETS = {
    'room_occupancy': True,
    'air_quality': True,
    'secom_207': True,
    'usps_2v3': False,
    'waveform40_uci': False,
}
# Most rows are of one class: saying it always is right nearly as often as anything else.
UNBALANCED = ['room_occupancy', 'secom_207']
BLOCKS = 50
LABELS = [0.01, 0.05, 0.10]
RANDOM_MASKS = 5

# What the node holds, whatever the length of the stream.
NODE_MEMORY = ['labelled=128', 'window=64', 'codebook=64', 'learn=200']
# Chosen by --tune.
SELECTOR = 'cls'
PARAMETERS = []

CANDIDATES = [
    ('variance', []),
    ('fisher', []),
    ('relieff', []),
    ('mrmr', []),
    ('cls', []),
    ('csfs', []),
    ('lsdf', []),
    ('sselect', []),
]


class Split:
    """A data set cut into stream, validation and held-back part."""

    def __init__(self, path, in_time, seed):
        self.frame = pd.read_csv(path, dtype={'label': str})
        self.names = [name for name in self.frame.columns if name != 'label']
        self.x = self.frame[self.names].to_numpy(float)
        self.y = self.frame['label'].to_numpy(str)
        random = np.random.default_rng(seed)
        rows = np.arange(len(self.y))
        blocks = np.array_split(rows if in_time else random.permutation(rows), BLOCKS)
        dealt = random.permutation(BLOCKS)
        first, second = int(0.6 * BLOCKS), int(0.8 * BLOCKS)
        self.stream = np.concatenate([blocks[b] for b in sorted(dealt[:first])])
        self.validation = np.concatenate([blocks[b] for b in sorted(dealt[first:second])])
        self.held_back = np.concatenate([blocks[b] for b in sorted(dealt[second:])])
        self.random = random
        self.in_time = in_time

    def labelled(self, share):
        """Rows of the stream that are labelled: picked at random, of each class one at least."""
        count = max(round(share * len(self.stream)), 1)
        rows = list(self.random.permutation(self.stream))
        first = [next(r for r in rows if self.y[r] == c) for c in sorted(set(self.y[self.stream]))]
        rest = [r for r in rows if r not in set(first)]
        return set(first + rest[:max(count - len(first), 0)])

    def write(self, path, labelled):
        part = self.frame.iloc[self.stream].copy()
        part['label'] = [self.y[r] if r in labelled else '' for r in self.stream]
        part.to_csv(path, index=False)


class Judge:
    """Accuracy on one part with some features, after training on the stream with all its labels."""

    def __init__(self, split, part):
        train, test = split.x[split.stream], split.x[part]
        mean = np.nan_to_num(np.nanmean(train, axis=0))
        spread = np.nan_to_num(np.nanstd(train, axis=0))
        gain = np.where(spread > 0, 1 / np.where(spread > 0, spread, 1), 0)
        self.train = np.nan_to_num((train - mean) * gain)
        self.test = np.nan_to_num((test - mean) * gain)
        self.y_train, self.y_test = split.y[split.stream], split.y[part]
        self.known = {}

    def accuracy(self, features):
        """1-NN and linear SVM: accuracy of each, then balanced accuracy of each."""
        key = tuple(sorted(features))
        if key not in self.known:
            columns = list(key)
            plain, balanced = [], []
            for model in (KNeighborsClassifier(1, algorithm='brute'),
                          LinearSVC(dual=False, max_iter=2000, random_state=1)):
                said = model.fit(self.train[:, columns], self.y_train).predict(self.test[:, columns])
                plain.append(100 * np.mean(said == self.y_test))
                balanced.append(100 * balanced_accuracy_score(self.y_test, said))
            self.known[key] = np.array(plain + balanced)
        return self.known[key]


def rank(program, path, selector, parameters):
    """Features, best first."""
    command = [program, 'rank', path, '--selector', selector, '--scale', 'zscore', '--format', 'json']
    for parameter in parameters:
        command += ['--param', parameter]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f'{" ".join(command)}: {done.stderr}')
    return json.loads(done.stdout)['order']


def tune(program, folder, names, seeds):
    """Mean loss against all features on the validation part, in points, by selector."""
    print('selector,data,labels,half_1nn,half_svm,quarter_1nn,quarter_svm')
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, 'stream.csv')
        for name in names:
            sums = {}
            for seed in range(seeds):
                split = Split(os.path.join(folder, name + '.csv'), SETS[name], seed)
                judge = Judge(split, split.validation)
                features = len(split.names)
                everything = judge.accuracy(range(features))
                for share in LABELS:
                    split.write(path, split.labelled(share))
                    for selector, parameters in CANDIDATES:
                        order = rank(program, path, selector, NODE_MEMORY + parameters)
                        loss = [everything - judge.accuracy(order[:features // part])
                                for part in (2, 4)]
                        key = (' '.join([selector] + parameters), share)
                        sums.setdefault(key, []).append(np.concatenate([l[:2] for l in loss]))
            for (selector, share), values in sums.items():
                cells = ','.join(f'{v:.2f}' for v in np.mean(values, axis=0))
                print(f'{selector},{name},{share},{cells}', flush=True)


def half(order):
    return order[:len(order) // 2]


def accuracies(program, split, path, selector, parameters):
    """Rows of (labels, mask, 1-NN, SVM, balanced 1-NN, balanced SVM)."""
    judge = Judge(split, split.held_back)
    features = len(split.names)
    split.write(path, set(split.stream))
    batch = judge.accuracy(half(rank(program, path, selector, parameters)))
    masks = [split.random.permutation(features)[:features // 2] for _ in range(RANDOM_MASKS)]
    by_chance = np.mean([judge.accuracy(mask) for mask in masks], axis=0)
    everything = judge.accuracy(range(features))
    rows = []
    for share in LABELS:
        split.write(path, split.labelled(share))
        streaming = judge.accuracy(half(rank(program, path, selector, NODE_MEMORY + parameters)))
        for mask, found in (('all', everything), ('streaming', streaming), ('batch', batch),
                            ('random', by_chance)):
            rows.append((share, mask, *found))
    return rows


# How each data set is simulated: as it is, without the detector of drift, with features permuted
# half-way.
def ways(split):
    return [], ['--prune', 'drift_block=0'], ['--drift', f'permute@{len(split.y) // 2}']


def simulate(program, split, path, selector, seeds):
    """What a node and its host find on the whole file: of each way, summary rows by policy, one for
    each seed that says which samples are labelled and which frames are lost."""
    rows = np.arange(len(split.y)) if split.in_time else split.random.permutation(len(split.y))
    split.frame.iloc[rows].to_csv(path, index=False)
    command = [program, 'simulate', path, '--selector', selector, '--policy', 'top', '--policy',
               'once', '--nodes', '1', '--label-rate', '0.05', '--format', 'csv']
    found = []
    for more in ways(split):
        runs = {}
        for seed in range(1, seeds + 1):
            done = subprocess.run(command + more + ['--seed', str(seed)], capture_output=True,
                                  text=True, check=True)
            for row in csv.DictReader(io.StringIO(done.stdout)):
                runs.setdefault(row['policy'], []).append(row)
        found.append(runs)
    return found


def with_error(values):
    """Mean and its standard error over the ways to cut."""
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return np.mean(values), error


def by_mask(masks, index):
    """Of each mask the number at `index`, one for each way to cut."""
    return {mask: np.array([v[index] for v in values]) for mask, values in masks.items()}


def share_of_benefit(found):
    """What streaming gains over chance, of what the batch ranking gains; None if that is nothing,
    or less than twice its standard error."""
    gain, error = with_error(found['batch'] - found['random'])
    if gain <= max(0.2, 2 * error):
        return None
    return np.mean(found['streaming'] - found['random']) / gain


def print_accuracies(measured, first, what):
    """Numbers `first` (1-NN) and `first` + 1 (SVM) of what Judge.accuracy gives."""
    print(f'\n| data | labels | {what} | all | streaming | batch | random | loss | '
          'streaming less batch | of the benefit |')
    print('|---' * 10 + '|')
    for (name, share), masks in measured.items():
        for index, classifier in enumerate(('1-NN', 'SVM')):
            found = by_mask(masks, first + index)
            benefit = share_of_benefit(found)
            means = ' | '.join(f'{np.mean(found[mask]):.1f}'
                               for mask in ('all', 'streaming', 'batch', 'random'))
            loss, loss_error = with_error(found['all'] - found['streaming'])
            more, more_error = with_error(found['streaming'] - found['batch'])
            print(f'| {name} | {100 * share:.0f} % | {classifier} | {means} | '
                  f'{loss:+.1f} ± {loss_error:.1f} | {more:+.1f} ± {more_error:.1f} | '
                  f'{"–" if benefit is None else f"{100 * benefit:.0f} %"} |')


def print_goals(measured):
    """How many data sets keep within a point of all features, and how many have the benefit."""
    print()
    for share in LABELS:
        for index, classifier in enumerate(('1-NN', 'SVM')):
            close, gained, comparable = 0, 0, 0
            for (_, labels), masks in measured.items():
                if labels != share:
                    continue
                found = by_mask(masks, index)
                close += np.mean(found['all'] - found['streaming']) <= 1
                benefit = share_of_benefit(found)
                comparable += benefit is not None
                gained += benefit is not None and benefit >= 0.95
            print(f'{100 * share:.0f} % labels, {classifier}: within a point on {close} data sets; '
                  f'95 % of the benefit on {gained} of {comparable} where there is one')


def of_runs(runs, key):
    """The numbers of a column, one for each run that has one."""
    return np.array([float(run[key]) for run in runs if run[key] != ''])


def print_simulations(simulated):
    columns = ['data', 'sensed', 'bytes saved', 'energy saved', 'accuracy, all',
               'pruned less all', 'alarms', 'energy saved, no detector',
               'pruned less all, no detector', 'recovered after', 'alarms', 'late, all',
               'late, pruned', 'late, first mask']
    print('\n| ' + ' | '.join(columns) + ' |\n' + '|---' * len(columns) + '|')

    def percent(runs, key):
        return f'{100 * np.mean(of_runs(runs, key)):.1f}'

    def gained(runs):
        gain, error = with_error(100 * (of_runs(runs['top'], 'accuracy') -
                                        of_runs(runs['all'], 'accuracy')))
        return f'{gain:+.1f} ± {error:.1f}'

    def alarms(runs):
        return f'{np.mean(of_runs(runs["top"], "alarms")):.1f}'

    for name, (calm, blind, drifted) in simulated.items():
        recovery = of_runs(drifted['top'], 'recovery')
        lost = len(drifted['top']) - len(recovery)
        cells = [name] + [percent(calm['top'], key) for key in
                          ('sensed', 'bytes_saved', 'energy_saved')]
        cells += [percent(calm['all'], 'accuracy'), gained(calm), alarms(calm),
                  percent(blind['top'], 'energy_saved'), gained(blind),
                  (f'{np.median(recovery):.0f}' if len(recovery) else '–') +
                  (f', {lost} not' if lost else ''), alarms(drifted)]
        cells += [percent(drifted[policy], 'late_accuracy') for policy in ('all', 'top', 'once')]
        print('| ' + ' | '.join(cells) + ' |')


def measure(options):
    measured, simulated, every = {}, {}, []
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, 'stream.csv')
        for name in options.only or SETS:
            file = os.path.join(options.data, name + '.csv')
            for seed in range(0 if options.simulate else options.seeds):
                split = Split(file, SETS[name], seed)
                for share, mask, *values in accuracies(options.program, split, path,
                                                       options.selector, PARAMETERS):
                    masks = measured.setdefault((name, share), {})
                    masks.setdefault(mask, []).append(values)
                    every.append((name, seed, share, mask, *values))
                print(f'{name}: split {seed + 1} of {options.seeds}', file=sys.stderr, flush=True)
            split = Split(file, SETS[name], options.seeds)
            try:
                simulated[name] = simulate(options.program, split, path, options.selector,
                                           options.seeds)
            except subprocess.CalledProcessError as error:  # more features than its readings hold
                print(f'{name}: not simulated: {error.stderr}', file=sys.stderr, flush=True)
    if measured:
        print_accuracies(measured, 0, 'accuracy')
        print_goals(measured)
        unbalanced = {key: masks for key, masks in measured.items() if key[0] in UNBALANCED}
        print_accuracies(unbalanced, 2, 'balanced accuracy')
    print_simulations(simulated)
    if options.csv:
        with open(options.csv, 'w', newline='', encoding='utf-8') as out:
            writer = csv.writer(out)
            writer.writerow(('data', 'split', 'labels', 'mask', 'nn', 'svm', 'nn_balanced',
                             'svm_balanced'))
            writer.writerows(every)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('program')
    parser.add_argument('data')
    only = parser.add_mutually_exclusive_group()
    only.add_argument('--tune', action='store_true')
    only.add_argument('--simulate', action='store_true')
    parser.add_argument('--selector', default=SELECTOR)
    parser.add_argument('--seeds', type=int, default=5)
    parser.add_argument('--only', action='append')
    parser.add_argument('--csv')
    chosen = parser.parse_args()
    if chosen.tune:
        tune(chosen.program, chosen.data, chosen.only or list(SETS), chosen.seeds)
    else:
        measure(chosen)
