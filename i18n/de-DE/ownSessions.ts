export const ownSessions = {
  own_sessions: {
    title: 'Aktive Anmeldungen',
    hint: 'Alle Orte, an denen dieses Konto gerade angemeldet ist. Unbekannte Sitzungen beenden und danach das Passwort ändern.',
    end_others: 'Alle anderen beenden',
    others_ended: 'Alle anderen Sitzungen sind beendet.',
    ended: 'Die Sitzung ist beendet.',
    end: 'Sitzung beenden',
    end_named: 'Sitzung beenden: %{device} %{address}',
    current: 'Diese Sitzung',
    since: 'seit',
    unknown_device: 'Unbekanntes Gerät',
  },
}
