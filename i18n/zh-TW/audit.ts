import type { audit as english } from '../en-US/audit.ts'
import type { SameShape } from '../types.ts'

/** The audit log of the embedded server. */
export const audit = {
  name: '稽核記錄',
  counted: '%{smart_count} 筆稽核記錄',
  empty: '這裡記錄人們做過的事：登入、終端機、檔案、使用者、工作、設定及其他變更。',
  fields: {
    id: 'ID',
    created_at: '時間',
    updated_at: '時間',
    at: '時間',
    action: '操作',
    user_id: '使用者 ID',
    username: '操作者',
    address: 'IP',
    target: '對象',
    detail: '詳細資料',
    unreadable: '無法讀取的行',
  },
  values: { unreadable: '無法讀取的行：%{text}' },
} satisfies SameShape<typeof english>
