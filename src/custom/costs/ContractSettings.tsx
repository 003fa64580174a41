import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Suspense, useId, useState } from 'react'
import { useDataProvider, useGetList, useTranslate } from 'react-admin'
import { ChoiceField } from '../../components/inputs/plainFields.tsx'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { UnsavedChangesGuard } from '../../engine/form/DiscardDialog.tsx'
import type { Version } from '../../engine/history/ChangeHistory.tsx'
import { describedBy, FieldFrame, fieldGrid } from '../../engine/kinds/parts/kind.tsx'
import { RetryAlert, useToast } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { everyRowByName } from '../../records/queryRows.ts'
import { sameValue } from '../../schemas/define/values.ts'
import { type Costs, contractEndpoints } from '../../schemas/endpoints/contractEndpoints.ts'
import { escalation } from '../../schemas/escalation.ts'
import { notificationGroup } from '../../schemas/notificationGroup.ts'
import {
  type ContractSetting,
  contractSetting,
  contractSettings,
  reportIntervals,
} from '../../schemas/settings/contractSettings.ts'

const SettingsHistoryDialog = lazyPart(() => import('../settings/SettingsHistoryDialog.tsx'))

const queryKey = ['contract-setting']

/** What holds for the contracts of all servers: the currency of sums, rates, and who is told; for administrators. */
export function ContractSettings({ costs }: { costs: Costs }) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => call(contractEndpoints.contractSetting),
    // Asked once for each visit: what is typed stays, whatever others save meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error && !data) return <RetryAlert error={error} onRetry={refetch} />
  if (!data) return null
  return <SettingForm stored={data} costs={costs} />
}

/** Rates as they are typed. */
type Typed = Omit<ContractSetting, 'rates'> & { rates: Readonly<Record<string, string>> }

function SettingForm({ stored, costs }: { stored: ContractSetting; costs: Costs }) {
  const translate = useTranslate()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const { show, showError } = useToast()
  const before = typedOf(stored)
  const [typed, setTyped] = useState(before)
  const [isSaving, setSaving] = useState(false)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const set = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes })
  const parsed = contractSetting.safeParse(settingOf(typed))
  const wrong = new Set(parsed.error?.issues.map(({ path }) => path.slice(0, 2).join('.')))
  const isDirty = !sameValue(settingOf(typed), settingOf(before))
  const title = translate('resources.contract-setting.name', { smart_count: 1 })
  const label = (name: string) => translate(`resources.contract-setting.fields.${name}`)
  const field = (name: 'notification_group_id' | 'escalation_id' | 'report_group_id', to: string) => ({
    to,
    label: label(name),
    value: typed[name],
  })
  const currencies = [...new Set([...Object.keys(typed.rates), ...costs.unconverted.map((one) => one.currency)])].sort()

  /** Fills the form with an earlier version, which is saved like what somebody has typed. */
  function restore({ values }: Version): void {
    setHistoryOpen(false)
    const version = Object.entries(typedOf(contractSetting.parse({ ...stored, ...values })))
    set(Object.fromEntries(version.filter(([name]) => name in values)))
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!parsed.success || !isDirty) return
    setSaving(true)
    try {
      // Rates are for the currency that their fields name, and not for what other people have most.
      const currency = parsed.data.currency || (parsed.data.rates.length > 0 ? costs.currency : '')
      const saved = await dataProvider.call(contractEndpoints.setContractSetting, { ...parsed.data, currency })
      queryClient.setQueryData(queryKey, saved)
      setTyped((now) => ({ ...now, currency: now.currency || saved.currency }))
      await queryClient.invalidateQueries({ queryKey: ['costs'] })
      show({ key: 'app.site.saved' })
    } catch (error) {
      showError(error)
    }
    setSaving(false)
  }

  return (
    <Panel title={title}>
      <form noValidate onSubmit={save} aria-label={title}>
        <Grid>
          <RecordField
            {...field('notification_group_id', notificationGroup.name)}
            onChange={(notification_group_id) => set({ notification_group_id })}
          />
          <RecordField
            {...field('escalation_id', escalation.name)}
            onChange={(escalation_id) => set({ escalation_id })}
          />
          <ChoiceField
            label={label('report')}
            value={typed.report}
            choices={reportIntervals}
            textOf={(interval) => translate(`resources.contract-setting.choices.report.${interval}`)}
            onChange={(report) => set({ report: reportIntervals.find((one) => one === report) ?? 'never' })}
          />
          <RecordField
            {...field('report_group_id', notificationGroup.name)}
            onChange={(report_group_id) => set({ report_group_id })}
          />
          <TextField
            label={label('currency')}
            value={typed.currency}
            placeholder={costs.currency || 'EUR'}
            error={wrong.has('currency') ? translate('validation.currency') : undefined}
            onChange={(text) => set({ currency: text.trim().toUpperCase() })}
          />
          {currencies.map((currency) => (
            <TextField
              key={currency}
              label={translate('app.costs.rate', { from: currency, to: typed.currency || costs.currency })}
              value={typed.rates[currency] ?? ''}
              error={wrong.has(`rates.${rateIndex(typed, currency)}`) ? translate('validation.number') : undefined}
              onChange={(text) => set({ rates: { ...typed.rates, [currency]: text } })}
            />
          ))}
        </Grid>
        <p>{translate('app.costs.settings_hint')}</p>
        <Buttons>
          <Button type="submit" variant="contained" size="small" disabled={!isDirty || !parsed.success || isSaving}>
            {translate('ra.action.save')}
          </Button>
          <Button size="small" onClick={() => setHistoryOpen(true)}>
            {translate('app.changes.tab.history')}
          </Button>
        </Buttons>
      </form>
      {isHistoryOpen ? (
        <Suspense>
          <SettingsHistoryDialog
            entity={contractSettings}
            title={title}
            now={stored}
            onRestore={restore}
            onClose={() => setHistoryOpen(false)}
          />
        </Suspense>
      ) : null}
      <UnsavedChangesGuard isDirty={() => isDirty} />
    </Panel>
  )
}

const typedOf = ({ rates, ...setting }: ContractSetting): Typed => ({
  ...setting,
  rates: Object.fromEntries(rates.map(({ currency, rate }) => [currency, String(rate)])),
})

/** Those that are typed: an empty one is none. */
const filled = ({ rates }: Typed) => Object.entries(rates).filter(([, text]) => text.trim() !== '')

const settingOf = ({ rates, ...setting }: Typed) => ({
  ...setting,
  rates: filled({ ...setting, rates }).map(([currency, text]) => ({ currency, rate: Number(text.replace(',', '.')) })),
})

const rateIndex = (typed: Typed, currency: string) => filled(typed).findIndex(([name]) => name === currency)

interface RecordFieldProps {
  label: string
  /** The entity of the records. */
  to: string
  value: number
  onChange: (id: number) => void
}

/** A record, or none. One that was deleted stays chosen until another one is. */
function RecordField({ label, to, value, onChange }: RecordFieldProps) {
  const translate = useTranslate()
  const { data = [] } = useGetList(to, everyRowByName)
  const names = new Map<string, string>(data.map(({ id, name }) => [String(id), String(name)]))
  const ids = [...new Set(['0', ...names.keys(), String(value)])]
  return (
    <ChoiceField
      label={label}
      value={String(value)}
      choices={ids}
      textOf={(id) => (id === '0' ? '–' : (names.get(id) ?? translate('app.list.dangling', { id })))}
      onChange={(id) => onChange(Number(id))}
    />
  )
}

interface TextFieldProps {
  label: string
  value: string
  error?: string
  placeholder?: string
  onChange: (text: string) => void
}

function TextField({ label, value, error, placeholder, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} required error={error}>
      <OutlinedInput
        id={id}
        size="small"
        value={value}
        placeholder={placeholder}
        error={error !== undefined}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ input: { maxLength: 30, 'aria-describedby': describedBy(id) } }}
      />
    </FieldFrame>
  )
}

const Buttons = styled('div')(({ theme }) => ({ display: 'flex', gap: theme.spacing(1) }))

const Grid = styled('div')(fieldGrid(240))
