import re

SLOTS = ['08:00', '10:00', '13:00', '15:00']
ENDS = {'08:00': '10:00', '10:00': '12:00', '13:00': '15:00', '15:00': '17:00'}
HALF = {'08:00': 'morning', '10:00': 'morning', '13:00': 'afternoon', '15:00': 'afternoon'}
NEEDS = {'gas boiler': ['GAS'], 'LPG boiler': ['GAS', 'LPG'], 'oil boiler': ['OIL'], 'heat pump': ['FGAS'], 'unvented cylinder': ['G3']}


def page(name):
    return ' '.join(read_handbook(page=name)['text'].split())


def num(pattern, text):
    return int(re.search(pattern, text).group(1))


def rules():
    pl, em, ch, co = page('planning'), page('emergencies-and-care'), page('changes'), page('costs')
    r = {}
    r['max_full'] = num(r'no more than (\d+) visits a day', pl)
    r['max_junior'] = num(r'a junior no more than (\d+)', pl)
    r['inspector'] = re.search(r'takes the slot that begins at (\d\d:\d\d), no earlier', em).group(1)
    r['care_latest'] = re.search(r'the visit begins at (\d\d:\d\d) at the latest', em).group(1)
    r['care_slot'] = re.search(r'takes the slot that begins at (\d\d:\d\d), when the carer', em).group(1)
    r['usual'] = re.search(r'It goes out by (\w+);', ch).group(1)
    r['care_channel'] = re.search(r'a care customer gets it by (\w+)', ch).group(1)
    r['callout'] = {'senior': num(r'a senior (\d+) cents', co), 'standard': num(r'standard technician (\d+) cents', co),
                    'junior': num(r'a junior (\d+) cents', co)}
    r['same'] = num(r'(\d+) cents within the same', co)
    r['near'] = num(r'(\d+) cents to a neighbouring', co)
    r['far'] = num(r'(\d+) cents to any other', co)
    r['epct'] = num(r'costs (\d+) % of that', co)
    r['late'] = num(r'late supplement of (\d+) cents', co)
    return r


def all_jobs(day):
    out, n = [], 1
    while True:
        rows = list_jobs(day=day, page=n)
        out.extend(rows)
        if len(rows) < 12:
            return out
        n += 1


def is_emergency(j):
    return j['report'] in ('shut off after a smell of gas', 'shut off after a carbon monoxide alarm', 'shut off after a water leak')


def ill_ones(day):
    last = {}
    for m in read_inbox(day=day):
        if m['topic'] in ('ill', 'fit'):
            last[m['technician_id']] = m['topic']
    return [t for t in last if last[t] == 'ill']


def load(day):
    w = {'r': rules(), 'day': day}
    w['jobs'] = {j['job_id']: j for j in all_jobs(day)}
    w['techs'] = {t['technician_id']: t for t in list_technicians()}
    for t in w['techs']:
        w['techs'][t]['certs'] = [c['code'] for c in check_certificates(technician_id=t) if c['valid_until'] >= day]
    w['near'] = [(x['district'], x['neighbour']) for x in district_map()]
    w['absent'] = {}
    for a in list_absences(day=day):
        w['absent'].setdefault(a['technician_id'], []).append(a['part'])
    w['ill'] = ill_ones(day)
    for t in w['ill']:
        w['absent'].setdefault(t, []).append('day')
    w['visits'] = [(v['job_id'], v['technician_id'], v['slot']) for v in list_visits(day=day)]
    for j in w['jobs'].values():
        j['emergency'] = is_emergency(j)
        if j['status'] == 'open':
            c = check_care_register(customer_id=j['customer_id'])['care_until']
            j['care'] = bool(c) and c >= day
    return w


def close(w, a, b):
    return a == b or (a, b) in w['near'] or (b, a) in w['near']


def price(w, j, t, slot):
    r, home = w['r'], w['techs'][t]['home_district']
    x = r['same'] if home == j['district'] else (r['near'] if close(w, home, j['district']) else r['far'])
    if j['emergency']:
        x = (x * r['epct'] + 50) // 100
    if slot == '15:00' and not j['care']:
        x += r['late']
    return x


def options(w, j):
    out, r = [], w['r']
    for slot in SLOTS:
        if j['emergency']:
            if slot != r['inspector']:
                continue
        else:
            if slot < j['home_from'] or ENDS[slot] > j['home_to']:
                continue
            if j['care'] and j['report'] in ('no heating', 'no hot water'):
                if slot > r['care_latest']:
                    continue
            elif j['care'] and slot != r['care_slot']:
                continue
        for t in w['techs']:
            x = w['techs'][t]
            if x['grade'] == 'junior' and (j['emergency'] or j['care']):
                continue
            if [c for c in NEEDS[j['appliance']] if c not in x['certs']]:
                continue
            if [a for a in w['absent'].get(t, []) if a == 'day' or a == HALF[slot]]:
                continue
            out.append((t, slot, price(w, j, t, slot)))
    return out


def fits(w, plan, j, t, slot):
    """plan: list of (job_id, technician, slot) that stand"""
    n = 0
    for k, u, s in plan:
        if u != t:
            continue
        if s == slot:
            return False
        o = w['jobs'][k]
        if o['emergency']:
            continue
        n += 1
        if not j['emergency'] and HALF[s] == HALF[slot] and not close(w, o['district'], j['district']):
            return False
    top = w['r']['max_junior'] if w['techs'][t]['grade'] == 'junior' else w['r']['max_full']
    return j['emergency'] or n < top


def search(w, todo, plan, order):
    """First plan that keeps the rules: the job with the fewest ways left goes next."""
    if not todo:
        return plan
    best = None
    for j in todo:
        ways = [o for o in order(j['opts']) if fits(w, plan, j, o[0], o[1])]
        if best is None or len(ways) < len(best[1]):
            best = (j, ways)
        if not ways:
            return None
    j, ways = best
    for t, slot, c in ways:
        got = search(w, [x for x in todo if x is not j], plan + [(j['job_id'], t, slot)], order)
        if got:
            return got
    return None


def solve(day):
    w = load(day)
    have = [v[0] for v in w['visits']]
    todo = [j for j in w['jobs'].values() if j['status'] == 'open' and j['job_id'] not in have]
    for j in todo:
        j['opts'] = options(w, j)
    plan = search(w, todo, w['visits'], lambda o: o)
    for k, t, s in plan[len(w['visits']):]:
        plan_visit(job_id=k, technician_id=t, day=day, slot=s)
    return {}
