/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: 'Create without “%{field}”',
  },
  usage: {
    settings: 'Settings',
    setting_fields: {
      ip_change_notification_group_id: 'notifier group for changed addresses',
      ignored_ip_notification: 'servers named for changed addresses',
    },
  },
  part: {
    failed: 'This part of the console could not be loaded. Check the connection, then try again.',
  },
}
