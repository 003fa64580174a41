import type { Label } from './text.ts'

/** Labels of fields that mean the same in every entity. An entity may have its own. */
export const commonFields = {
  id: { it: 'ID', zhCN: 'ID', zhTW: 'ID', de: 'ID' },
  name: { it: 'Nome', zhCN: '名称', zhTW: '名稱', de: 'Name' },
  created_at: { it: 'Data di creazione', zhCN: '创建时间', zhTW: '建立時間', de: 'Angelegt am' },
  updated_at: { it: 'Ultima modifica', zhCN: '更新时间', zhTW: '更新時間', de: 'Geändert am' },
} satisfies Record<string, Label>
