"""Takes off what breaks a rule, then fills up with the shortest tracks that fit."""
import re


def number(pattern, text):
    return int(re.findall(pattern, text)[0])


def solve(playlist):
    text = " ".join(read_handbook(page="window-lists")["text"].split())
    slots, per_artist = number(r"holds exactly ([0-9]+) tracks", text), number(r"At most ([0-9]+) tracks of one artist", text)
    shortest, longest = number(r"at least ([0-9]+) and", text) * 1000, number(r"at most ([0-9]+) seconds", text) * 1000
    window = [p for p in list_playlists() if p["name"] == playlist and p["kind"] == "window"][0]

    def fits(track, status):
        if track["genre"] != window["genre"] or track["media_type"].startswith("Protected"):
            return False
        if track["milliseconds"] < shortest or track["milliseconds"] > longest or status == "blocked":
            return False
        return track["composer"] is not None or status == "blanket"

    def examine(ids):
        status = {r["track_id"]: r["status"] for r in check_rights(track_ids=ids)}
        return [(track, fits(track, status[track["id"]])) for track in get_tracks(track_ids=ids)]

    listed = [t["id"] for t in list_playlist_tracks(playlist_id=window["id"])]
    count, held = {}, 0
    for track, fit in examine(listed):
        if fit:
            held, count[track["artist"]] = held + 1, count.get(track["artist"], 0) + 1
        else:
            remove_from_playlist(playlist_id=window["id"], track_id=track["id"])
    candidates, page = [], 1
    while True:
        rows = search_tracks(genre=window["genre"], page=page)
        candidates = candidates + [t for t in rows if t["id"] not in listed and shortest <= t["milliseconds"] <= longest]
        if len(rows) < 40:
            break
        page = page + 1
    candidates = sorted(candidates, key=lambda t: t["milliseconds"])
    while held < slots:
        for track, fit in sorted(examine([t["id"] for t in candidates[:40]]), key=lambda pair: pair[0]["milliseconds"]):
            if fit and held < slots and count.get(track["artist"], 0) < per_artist:
                add_to_playlist(playlist_id=window["id"], track_id=track["id"])
                held, count[track["artist"]] = held + 1, count.get(track["artist"], 0) + 1
        candidates = candidates[40:]
    return {}
