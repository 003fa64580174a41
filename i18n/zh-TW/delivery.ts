import type { delivery as english } from '../en-US/delivery.ts'
import type { SameShape } from '../types.ts'

/** The delivery history of the embedded server. */
export const delivery = {
  name: '傳送記錄',
  counted: '%{smart_count} 筆傳送記錄',
  empty: '這裡記錄每則通知在每個通知方式上的傳送結果。',
  fields: {
    id: 'ID',
    created_at: '時間',
    updated_at: '時間',
    at: '時間',
    notification_id: '通知方式 ID',
    notification_name: '通知方式',
    notification_group_id: '通知群組 ID',
    notification_group_name: '通知群組',
    message: '訊息',
    state: '結果',
    code: '狀態碼',
    reply: '回覆',
    tries: '嘗試次數',
    duration: '耗時（ms）',
    count: '通知數',
  },
  choices: {
    state: { sent: '已傳送', failed: '失敗', dropped: '已捨棄', stopped: '已中斷' },
  },
} satisfies SameShape<typeof english>
