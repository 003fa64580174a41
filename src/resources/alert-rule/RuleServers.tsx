import { Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { ChoiceField } from '../../components/inputs/plainFields.tsx'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { ignoredOf, namedServers, type Rule } from './alertRule.ts'

interface RuleServersProps {
  rule: Rule
  onChange: (changes: Rule) => void
}

/** The servers that a rule covers. Entries with `false` have no meaning and are kept. */
export function RuleServers({ rule, onChange }: RuleServersProps) {
  const translate = useTranslate()
  const cover = String(rule.cover ?? 0)
  const knownValues = ['0', '1']
  const texts: Record<string, string> = {
    0: translate('resources.alert-rule.values.cover_all'),
    1: translate('resources.alert-rule.values.cover_only'),
  }
  const choose = (ids: readonly number[]) => {
    const ignoredEntries = ignoredOf(rule).filter(([key, isNamed]) => isNamed !== true && !ids.includes(Number(key)))
    onChange({ ignore: Object.fromEntries([...ignoredEntries, ...ids.map((key) => [String(key), true] as const)]) })
  }
  return (
    <>
      <ChoiceField
        label={translate('resources.alert-rule.values.cover')}
        value={cover}
        choices={knownValues.includes(cover) ? knownValues : [...knownValues, cover]}
        textOf={(choice) => texts[choice] ?? translate('app.list.unknown_code', { code: choice })}
        onChange={(choice) => onChange({ cover: Number(choice) })}
      />
      <Suspense>
        <LazyReferencePicker
          to="server"
          label={translate('resources.alert-rule.values.servers')}
          multiple
          chosen={namedServers(rule)}
          onChoose={choose}
        />
      </Suspense>
    </>
  )
}
