"""Adds before it takes off, and fills the time as far as it goes: long tracks where the remaining time lets them in."""
import re


def solve(playlist):
    text = " ".join(read_handbook(page="window-lists")["text"].split())
    slots = int(re.findall(r"exactly ([0-9]+) tracks", text)[0])
    low, high = re.findall(r"at least ([0-9]+) and at most ([0-9]+) seconds", text)[0]
    per_artist = int(re.findall(r"At most ([0-9]+) tracks of one artist", text)[0])
    budget = int(re.findall(r"play at most ([0-9]+) minutes", text)[0]) * 60000
    window = [p for p in list_playlists() if p["name"] == playlist][0]
    catalogue, page = [], 1
    while True:
        rows = search_tracks(genre=window["genre"], page=page)
        catalogue = catalogue + [t["id"] for t in rows if int(low) * 1000 <= t["milliseconds"] <= int(high) * 1000]
        if len(rows) < 40:
            break
        page = page + 1
    listed = [t["id"] for t in list_playlist_tracks(playlist_id=window["id"])]
    good = []
    for start in range(0, len(catalogue), 40):
        ids = catalogue[start:start + 40]
        status = {r["track_id"]: r["status"] for r in check_rights(track_ids=ids)}
        for track in get_tracks(track_ids=ids):
            barred = status[track["id"]] == "blocked" or track["media_type"].startswith("Protected")
            if not barred and (track["composer"] is not None or status[track["id"]] == "blanket"):
                good.append(track)
    kept = [t for t in good if t["id"] in listed]
    spare = sorted([t for t in good if t["id"] not in listed], key=lambda t: t["milliseconds"])

    def quickest(chosen, missing):
        """How long the list gets if only the shortest tracks follow; None if there aren't enough."""
        count, total = {}, 0
        for track in chosen:
            count[track["artist"]] = count.get(track["artist"], 0) + 1
            total = total + track["milliseconds"]
        for track in spare:
            if missing and track not in chosen and count.get(track["artist"], 0) < per_artist:
                count[track["artist"]] = count.get(track["artist"], 0) + 1
                total, missing = total + track["milliseconds"], missing - 1
        return None if missing else total

    chosen = list(kept)
    for track in spare[::-1]:
        if len(chosen) == slots:
            break
        if len([t for t in chosen if t["artist"] == track["artist"]]) < per_artist:
            total = quickest(chosen + [track], slots - len(chosen) - 1)
            if total is not None and total <= budget:
                chosen.append(track)
                add_to_playlist(playlist_id=window["id"], track_id=track["id"])
    for track_id in listed:
        if track_id not in [t["id"] for t in kept]:
            remove_from_playlist(playlist_id=window["id"], track_id=track_id)
    return {}
