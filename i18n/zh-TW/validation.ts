import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: '必填',
  min_length: '至少 %{min} 個字元',
  max_length: '最多 %{max} 個字元',
  min_value: '不可小於 %{min}',
  max_value: '不可大於 %{max}',
  integer: '必須是整數',
  number: '必須是數字',
  url: '必須是以 http:// 或 https:// 開頭的網址',
  json: 'JSON 字串無效',
  text_pairs: '必須是值為文字的 JSON 物件，例如 {"X-Token": "abc"}',
  choice: '請從清單中選擇',
  invalid: '此值無效',
} satisfies SameShape<typeof english>
