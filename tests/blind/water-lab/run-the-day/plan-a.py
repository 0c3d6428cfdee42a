import re
from datetime import datetime, timedelta


def T(s):
    return datetime.fromisoformat(s)


def now():
    return T(clock()['now'])


def wait_till(t):
    # the clock may already be there
    try:
        wait(until=t.isoformat())
    except ValueError:
        pass


def policy():
    bench = read_handbook(page='bench')['text']
    exc = read_handbook(page='exceedances')['text']
    lim = read_handbook(page='limits')['text']
    rec = read_handbook(page='reception')['text']
    p = {}
    m = re.search(r'lies from (\d+) to (\d+) per mille', bench)
    p['low'], p['high'] = int(m.group(1)), int(m.group(2))
    p['notice'] = int(re.search(r'within (\d+) minutes', exc).group(1))
    p['limits'] = {x: int(re.search(r'(\d+) for ' + x, lim).group(1))
                   for x in ['nitrate', 'nitrite', 'fluoride', 'lead', 'copper', 'nickel', 'arsenic']}
    p['dialysis'] = int(re.search(r'every parameter is (\d+) %', lim).group(1))
    p['infant'] = int(re.search(r'nitrite and lead is (\d+) %', lim).group(1))
    p['cutoff'] = re.search(r'at or before (\d\d:\d\d)', rec).group(1)
    p['hold'] = {x: int(re.search(r'(\d+) hours for ' + x, rec).group(1)) for x in ['nitrate', 'nitrite']}
    return p


def limit_of(p, kind, parameter):
    x = p['limits'][parameter]
    if kind == 'dialysis':
        return x * p['dialysis'] // 100
    if kind == 'infant-care' and parameter in ('nitrate', 'nitrite', 'lead'):
        return x * p['infant'] // 100
    return x


def expiry(p, s):
    hours = p['hold'].get(s['parameter'])
    return T(s['taken_at']) + (timedelta(hours=hours) if hours else timedelta(days=28))


def recipient(kind, parameter):
    if parameter in ('nitrate', 'nitrite') or kind in ('dialysis', 'infant-care'):
        return 'health-office'
    return 'client-duty'


# One run at a time: pick a group of samples of one technique, an instrument that suits them, prepare, run, read, settle.
def pick(p, group, methods, failed, end):
    """An idle, calibrated instrument of the technique that none of the group is barred from; calibrates one if it must."""
    tech = group[0]['technique']
    for attempt in range(30):
        inst = list_instruments()
        t = now()
        good, tocal, busy = [], [], []
        for i in inst:
            if i['technique'] != tech or i['state'] != 'up':
                continue
            n = len([g for g in group if g.get('bar') != i['id']])
            if not n:
                continue
            if i['busy_until'] and T(i['busy_until']) > t:
                busy.append(i)
            elif i['id'] in failed or not i['calibrated_until'] or T(i['calibrated_until']) <= t + timedelta(minutes=60):
                tocal.append((n, i))
            else:
                good.append((n, i))
        if good:
            good.sort(key=lambda x: -min(x[0], x[1]['capacity']))
            return good[0][1]
        if tocal:
            i = tocal[0][1]
            try:
                r = calibrate_instrument(instrument_id=i['id'])
            except ValueError:
                wait_till(t + timedelta(minutes=5))
                continue
            wait_till(T(r['ends_at']) + timedelta(minutes=1))
            if i['id'] in failed:
                failed.remove(i['id'])
            continue
        if busy:
            wait_till(min(T(i['busy_until']) for i in busy) + timedelta(minutes=1))
            continue
        return None
    return None


def work(p, samples, methods, failed, settle, end):
    pending = list(samples)
    while pending:
        pending.sort(key=lambda s: (s['expires'] if not s.get('first') else s['expires'] + timedelta(days=60)))
        tech = pending[0]['technique']
        group = [s for s in pending if s['technique'] == tech]
        i = pick(p, group, methods, failed, end)
        load = [s for s in group if s.get('bar') != i['id']][:i['capacity']]
        ready = None
        for s in load:
            if not s.get('aliquot'):
                a = prepare_aliquot(sample_id=s['id'])
                s['aliquot'] = a.get('id', a.get('aliquot_id'))
                ready = T(a['ready_at'])
        if ready:
            wait_till(ready)
        try:
            run = start_run(instrument_id=i['id'], aliquot_ids=[s['aliquot'] for s in load])
        except ValueError:
            continue
        wait_till(T(run['ends_at']))
        rows = read_run(run_id=run.get('id', run.get('run_id')))
        while rows[0]['state'] == 'running':
            rows = read_run(run_id=rows[0]['run_id'])
        if rows[0]['state'] == 'aborted':
            continue
        for s in load:
            s['aliquot'] = None
        if not (p['low'] <= rows[0]['recovery_pm'] <= p['high']):
            failed.append(i['id'])
            continue
        for r in rows:
            s = [x for x in load if x['id'] == r['sample_id']][0]
            if settle(p, s, r):
                pending.remove(s)


def settle(p, s, r):
    """True when the sample is done."""
    above = r['value_ug'] > s['limit']
    if not s.get('first'):
        if above:
            s['first'] = r
            s['bar'] = r['instrument_id']
            return False
        report_result(sample_id=s['id'], result_id=r['result_id'], verdict='complies')
    elif above:
        notify(sample_id=s['id'], result_id=r['result_id'], recipient=recipient(s['site_kind'], s['parameter']))
        report_result(sample_id=s['id'], result_id=r['result_id'], verdict='exceeds')
        s['exceeds'] = True
    else:
        withdraw_result(result_id=s['first']['result_id'], reason='Not confirmed by the repeat on another instrument.')
        report_result(sample_id=s['id'], result_id=r['result_id'], verdict='complies')
    s['done'] = True
    return True


def solve(client, closes):
    p = policy()
    end = T('2026-03-30T' + closes + ':00')
    cutoff = T('2026-03-30T' + p['cutoff'] + ':00')
    cid = [c for c in find_clients(text=client) if c['name'] == client][0]['id']
    methods = {m['parameter']: m for m in list_methods()}
    failed, seen, allof, rejected = [], [], [], []

    def take_in():
        out = []
        for s in list_samples(client_id=cid):
            if s['outcome'] != 'open' or s['state'] != 'received' or s['id'] in seen:
                continue
            seen.append(s['id'])
            if T(s['received_at']) > cutoff:
                continue
            if expiry(p, s) < T(s['received_at']):
                reject_sample(sample_id=s['id'], reason='holding-time')
                rejected.append(s['id'])
                continue
            d = get_sample(sample_id=s['id'])
            d['expires'] = expiry(p, d)
            d['limit'] = limit_of(p, d['site_kind'], d['parameter'])
            out.append(d)
            allof.append(d)
        return out

    work(p, take_in(), methods, failed, settle, end)
    if now() <= cutoff:
        wait_till(cutoff + timedelta(minutes=1))
    work(p, take_in(), methods, failed, settle, end)
    return {'reported': len([s for s in allof if s.get('done')]),
            'exceeding': [s['id'] for s in allof if s.get('exceeds')], 'rejected': rejected}
