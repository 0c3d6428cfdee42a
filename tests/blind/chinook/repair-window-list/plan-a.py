import re


def solve(playlist):
    text = read_handbook(page="window-lists")["text"]
    slots = int(re.search(r"exactly (\d+) tracks", text).group(1))
    low, high = [int(x) * 1000 for x in re.search(r"at least (\d+) and at most (\d+) seconds", text).groups()]
    per_artist = int(re.search(r"At most (\d+) tracks of one artist", text).group(1))
    total = int(re.search(r"at most (\d+) minutes", text).group(1)) * 60000
    record = [p for p in list_playlists() if p["name"] == playlist and p["kind"] == "window"][0]
    on_list = []
    page = 1
    while True:
        rows = list_playlist_tracks(playlist_id=record["id"], page=page)
        on_list += [t["id"] for t in rows]
        if len(rows) < 40:
            break
        page += 1

    def facts(ids):
        found = []
        for start in range(0, len(ids), 40):
            part = ids[start:start + 40]
            status = {}
            for r in check_rights(track_ids=part):
                status[r["track_id"]] = r["status"]
            for t in get_tracks(track_ids=part):
                t["status"] = status.get(t["id"])
                found.append(t)
        return found

    def fits(t):
        return (t["genre"] == record["genre"] and not t["media_type"].startswith("Protected")
                and low <= t["milliseconds"] and t["milliseconds"] <= high and t["status"] != "blocked"
                and (bool(t["composer"]) or t["status"] == "blanket"))

    kept = []
    for t in facts(on_list):
        if fits(t):
            kept.append(t)
        else:
            remove_from_playlist(playlist_id=record["id"], track_id=t["id"])
    time = sum([t["milliseconds"] for t in kept])
    artists = {}
    for t in kept:
        artists[t["artist"]] = artists.get(t["artist"], 0) + 1
    pool = []
    page = 1
    while True:
        rows = search_tracks(genre=record["genre"], page=page)
        pool += [t for t in rows if t["id"] not in on_list and t["milliseconds"] >= low and t["milliseconds"] <= high]
        if len(rows) < 40:
            break
        page += 1
    pool.sort(key=lambda t: (t["milliseconds"], t["id"]))
    need = slots - len(kept)
    chosen = []
    for start in range(0, len(pool), 40):
        for t in sorted(facts([x["id"] for x in pool[start:start + 40]]), key=lambda t: (t["milliseconds"], t["id"])):
            if len(chosen) < need and fits(t) and artists.get(t["artist"], 0) < per_artist:
                chosen.append(t)
                artists[t["artist"]] = artists.get(t["artist"], 0) + 1
                time += t["milliseconds"]
        if len(chosen) >= need:
            break
    if len(chosen) < need or time > total:
        raise ValueError("no way to fill the list")
    for t in chosen:
        add_to_playlist(playlist_id=record["id"], track_id=t["id"])
    return {}
