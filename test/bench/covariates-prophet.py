"""Prophet on the same windows as `npm run bench:covariates`: MASE with the covariates as regressors and without.

    pip install prophet && python test/bench/covariates-prophet.py FILE.json.gz [GROUP]

Numbers and truth values only; what is missing is as it was before.
"""

import gzip
import json
import logging
import sys

import numpy as np
import pandas as pd
from prophet import Prophet

logging.getLogger("cmdstanpy").setLevel(logging.ERROR)

STEPS = {"PT1H": "h", "P1D": "D", "P1W": "W", "P1M": "MS", "PT30M": "30min", "PT15M": "15min"}


def seasonal_error(values, m):
    lag = m if m < len(values) else 1
    return np.nanmean(np.abs(values[lag:] - values[:-lag]))


def forecast(history, horizon, regressors):
    model = Prophet(interval_width=0.8)
    for name in regressors:
        model.add_regressor(name)
    model.fit(history.iloc[:-horizon])
    return model.predict(history.drop(columns="y").iloc[-horizon:])["yhat"].to_numpy()


def main():
    with gzip.open(sys.argv[1], "rt") as file:
        rows = json.load(file)
    sums = {}
    for row in rows:
        if len(sys.argv) > 2 and row["group"] != sys.argv[2]:
            continue
        values = np.array([np.nan if v is None else v for v in row["values"]], dtype=float)
        times = pd.date_range(row["start"].replace("Z", ""), periods=len(values), freq=STEPS[row["freq"]])
        frame = pd.DataFrame({"ds": times, "y": values})
        names = []
        for name, cells in row["covariates"].items():
            column = pd.to_numeric(pd.Series(cells), errors="coerce").ffill().bfill()
            if column.notna().all() and column.nunique() > 1:
                frame[name] = column.to_numpy(dtype=float)
                names.append(name)
        h = row["h"]
        for window in range(row["windows"], 0, -1):
            origin = len(values) - window * h
            actual = values[origin : origin + h]
            scale = seasonal_error(values[:origin], row["m"])
            part = frame.iloc[: origin + h]
            known = np.isfinite(actual)
            total = sums.setdefault(row["group"], [0.0, 0.0, 0])
            for k, used in enumerate(([], names)):
                point = forecast(part[["ds", "y", *used]].copy(), h, used)
                total[k] += float(np.abs(actual - point)[known].sum() / scale)
            total[2] += int(known.sum())
    for group, (without, with_, points) in sums.items():
        print(f"{group}: MASE without {without / points:.3f}, with {with_ / points:.3f}")


main()
