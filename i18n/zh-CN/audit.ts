import type { audit as english } from '../en-US/audit.ts'
import type { SameShape } from '../types.ts'

/** The audit log of the embedded server. */
export const audit = {
  name: '审计日志',
  counted: '%{smart_count} 条审计日志',
  empty: '这里记录人们做过的事：登录、终端、文件、用户、任务、设置及其他更改。',
  fields: {
    id: 'ID',
    created_at: '时间',
    updated_at: '时间',
    at: '时间',
    action: '操作',
    user_id: '用户 ID',
    username: '操作者',
    address: 'IP',
    target: '对象',
    detail: '详情',
    unreadable: '无法读取的行',
  },
  values: { unreadable: '无法读取的行：%{text}' },
} satisfies SameShape<typeof english>
