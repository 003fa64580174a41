/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: '创建时不设置“%{field}”',
  },
  usage: {
    settings: '设置',
    setting_fields: {
      ip_change_notification_group_id: 'IP 变更通知的通知组',
      ignored_ip_notification: 'IP 变更通知中指定的服务器',
    },
  },
  part: {
    failed: '控制台的这一部分无法加载。请检查网络连接后重试。',
  },
}
