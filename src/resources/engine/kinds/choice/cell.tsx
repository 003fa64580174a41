import { useTranslate } from 'react-admin'
import type { CellProps, FilterTextProps } from '../parts/kind.ts'

/** Gives the text of a code; an unknown code is its own text. */
export function useChoiceText(entity: string) {
  const translate = useTranslate()
  return (field: string, name: string | undefined, code: unknown) =>
    name === undefined ? String(code ?? '') : translate(`resources.${entity}.choices.${field}.${name}`)
}

export function ChoiceCell({ value, entity, field }: CellProps) {
  const textOf = useChoiceText(entity)
  return textOf(field?.name ?? '', field?.choices?.[String(value ?? 0)], value)
}

export function ChoiceFilterText({ value, entity, field }: FilterTextProps) {
  const textOf = useChoiceText(entity)
  return textOf(field.name, field.choices?.[value], value)
}
