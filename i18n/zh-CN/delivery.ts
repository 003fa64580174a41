import type { delivery as english } from '../en-US/delivery.ts'
import type { SameShape } from '../types.ts'

/** The delivery history of the embedded server. */
export const delivery = {
  name: '发送记录',
  counted: '%{smart_count} 条发送记录',
  empty: '这里记录每条通知在每个通知方式上的发送结果。',
  fields: {
    id: 'ID',
    created_at: '时间',
    updated_at: '时间',
    at: '时间',
    notification_id: '通知方式 ID',
    notification_name: '通知方式',
    notification_group_id: '通知组 ID',
    notification_group_name: '通知组',
    message: '消息',
    state: '结果',
    code: '状态码',
    reply: '回复',
    tries: '尝试次数',
    duration: '用时（ms）',
    count: '通知数',
  },
  choices: {
    state: { sent: '已发送', failed: '失败', dropped: '已丢弃', stopped: '已中断' },
  },
} satisfies SameShape<typeof english>
