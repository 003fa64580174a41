/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: 'Ohne „%{field}“ anlegen',
  },
  usage: {
    settings: 'Einstellungen',
    setting_fields: {
      ip_change_notification_group_id: 'Benachrichtigungsgruppe für Adresswechsel',
      ignored_ip_notification: 'für Adresswechsel genannte Server',
    },
  },
  part: {
    failed: 'Dieser Teil der Konsole konnte nicht geladen werden. Verbindung prüfen, dann erneut versuchen.',
  },
}
