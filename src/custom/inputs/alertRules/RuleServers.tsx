import { useId } from 'react'
import { useTranslate } from 'react-admin'
import ReferencePicker from '../../../resources/engine/kinds/reference/ReferencePicker.tsx'
import type { FieldDescription } from '../../../schemas/define/describe.ts'
import { namedServers, type Rule } from './alertRule.ts'
import { ChoiceField } from './RuleControls.tsx'

interface RuleServersProps {
  rule: Rule
  onChange: (changes: Rule) => void
}

/** What the picker needs to know of a field that stands inside another. */
const field: FieldDescription = {
  name: 'ignore',
  kind: 'idSet',
  to: 'server',
  editable: true,
  required: false,
  omittable: true,
  nullable: true,
}
const binding = { onBlur: () => {}, ref: () => {} }

/** Where a rule looks. An entry with `false` means nothing, and stays as it came. */
export function RuleServers({ rule, onChange }: RuleServersProps) {
  const translate = useTranslate()
  const id = useId()
  const cover = String(rule.cover ?? 0)
  const known = ['0', '1']
  const texts: Record<string, string> = {
    0: translate('resources.alert-rule.values.cover_all'),
    1: translate('resources.alert-rule.values.cover_only'),
  }
  const choose = (ids: readonly number[]) => {
    const before = Object.entries((rule.ignore as Record<string, unknown> | null | undefined) ?? {})
    const off = before.filter(([key, isNamed]) => isNamed !== true && !ids.includes(Number(key)))
    onChange({ ignore: Object.fromEntries([...off, ...ids.map((key) => [String(key), true] as const)]) })
  }
  return (
    <>
      <ChoiceField
        label={translate('resources.alert-rule.values.cover')}
        value={cover}
        choices={known.includes(cover) ? known : [...known, cover]}
        textOf={(choice) => texts[choice] ?? choice}
        onChange={(choice) => onChange({ cover: Number(choice) })}
      />
      <ReferencePicker
        field={field}
        entity="alert-rule"
        label={translate('resources.alert-rule.values.servers')}
        id={id}
        binding={binding}
        multiple
        chosen={namedServers(rule)}
        onChoose={choose}
      />
    </>
  )
}
