/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: '建立時不設定「%{field}」',
  },
  usage: {
    settings: '設定',
    setting_fields: {
      ip_change_notification_group_id: 'IP 變更通知的通知群組',
      ignored_ip_notification: 'IP 變更通知中指定的伺服器',
    },
  },
  part: {
    failed: '無法載入主控台的這個部分。請檢查網路連線後再試一次。',
  },
}
