import { useTranslate } from 'react-admin'
import type { CellProps, FilterTextProps } from '../parts/kind.ts'

/** Gives the text of a code, and `unknown (9)` for one that this console does not know. */
export function useChoiceText(entity: string) {
  const translate = useTranslate()
  return (field: string, name: string | undefined, code: unknown) =>
    name !== undefined
      ? translate(`resources.${entity}.choices.${field}.${name}`)
      : code === undefined || code === null
        ? ''
        : translate('app.list.unknown_code', { code })
}

export function ChoiceCell({ value, entity, field }: CellProps) {
  const textOf = useChoiceText(entity)
  return textOf(field?.name ?? '', field?.choices?.[String(value ?? 0)], value)
}

export function ChoiceFilterText({ value, entity, field }: FilterTextProps) {
  const textOf = useChoiceText(entity)
  return textOf(field.name, field.choices?.[value], value)
}
