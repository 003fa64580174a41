import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: '必填',
  min_length: '至少 %{min} 个字符',
  max_length: '最多 %{max} 个字符',
  min_value: '不能小于 %{min}',
  max_value: '不能大于 %{max}',
  integer: '必须是整数',
  number: '必须是数字',
  url: '必须是以 http:// 或 https:// 开头的网址',
  json: 'JSON 字符串无效',
  text_pairs: '必须是值为文本的 JSON 对象，例如 {"X-Token": "abc"}',
  choice: '请从列表中选择',
  invalid: '该值无效',
} satisfies SameShape<typeof english>
