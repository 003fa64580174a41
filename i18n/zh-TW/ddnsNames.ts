import type { ddnsNames as english } from '../en-US/ddnsNames.ts'
import type { SameShape } from '../types.ts'

export const ddnsNames = {
  ddns: {
    title: '%{what} 的網域名稱',
    unused: '沒有伺服器使用',
    nothing_yet: '尚未傳送',
    failed_of: '%{total} 個中有 %{failed} 個失敗',
    how_to_use: '沒有伺服器使用此設定檔。請編輯伺服器，啟用 DDNS 並選擇此設定檔。',
    first_of: '顯示前 %{shown} 個，共 %{total} 個，失敗的在前。',
    tries: '已嘗試 %{smart_count} 次',
    states: {
      done: '已更新',
      failed: '失敗',
      waiting: '更新中',
      no_address: '伺服器沒有該類型、供應商可用的位址',
      offline: '等待伺服器回報',
    },
  },
} satisfies SameShape<typeof english>
