import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useGetList, useRecordContext, useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { LazyReferencePicker } from '../../../engine/kinds/reference/LazyReferencePicker.ts'
import { useOfflineServers } from '../../../live/fleet.ts'
import { everyRowByName } from '../../../records/queryRows.ts'
import { isObject } from '../../../schemas/define/values.ts'
import { type CheckTry, checkEndpoints } from '../../../schemas/endpoints/checkEndpoints.ts'
import { jsonPathText } from '../../../schemas/formats/jsonPath.ts'

const severities = { up: 'success', degraded: 'warning', down: 'error', not_permitted: 'info' } as const

/** Checks the service once as the form has it, from a server of choice, and shows what came back. Nothing is saved. */
export function TryPanel() {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { getValues } = useFormContext()
  const record = useRecordContext()
  const [chosen, setChosen] = useState<number>()
  const { data: servers } = useGetList('server', everyRowByName)
  const offline = useOfflineServers()
  // One that is offline could only say so.
  const first = servers?.find(({ id }) => !offline?.has(Number(id))) ?? servers?.[0]
  const server = chosen ?? (first && Number(first.id))
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => {
      const { type, target, check, min_latency, max_latency } = getValues()
      return call(checkEndpoints.tryCheck, {
        ...(record?.id !== undefined && { id: Number(record.id) }),
        server_id: server,
        type,
        target: target ?? '',
        check: check ?? undefined,
        min_latency: Number(min_latency) || 0,
        max_latency: Number(max_latency) || 0,
      })
    },
  })
  return (
    <Panel aria-busy={isPending}>
      <Row>
        <LazyReferencePicker
          to="server"
          required
          label={translate('app.checks.try_from')}
          chosen={server === undefined ? [] : [server]}
          onChoose={([one]) => setChosen(one)}
        />
        <Button
          variant="outlined"
          loading={isPending}
          disabled={server === undefined}
          onClick={() => {
            // What came back is of this one, also when it goes offline.
            setChosen(server)
            mutate()
          }}
        >
          {translate('app.checks.try_now')}
        </Button>
      </Row>
      {error ? <Alert severity="error">{translate(error.message || 'app.toast.unexpected')}</Alert> : null}
      {data && !error ? <TryResult tried={data} /> : null}
    </Panel>
  )
}

/** What a check has found out: its verdict, what took how long, the verdict of each rule, and the answer. */
function TryResult({ tried }: { tried: CheckTry }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const { state, reason, reason_values, phases, code, rules, certificate, request, answer } = tried
  const ms = (value: number) => `${formatNumber(Math.round(value * 10) / 10, locale)} ms`
  const facts = [
    code === undefined ? undefined : translate('app.checks.code', { code }),
    ...(['name', 'connect', 'tls', 'first_byte', 'whole'] as const).map((phase) => {
      const value = phases[phase]
      return value === undefined ? undefined : `${translate(`app.checks.phases.${phase}`)} ${ms(value)}`
    }),
    certificate &&
      translate('app.checks.certificate', {
        issuer: certificate.issuer,
        date: new Date(certificate.expires_at).toLocaleDateString(locale),
      }),
  ].filter((fact) => fact !== undefined)
  return (
    <>
      <Alert severity={severities[state]} role="status">
        <strong>{translate(`app.checks.states.${state}`)}</strong>
        {reason ? `: ${translate(`app.checks.reasons.${reason}`, reason_values)}` : null}
        <Facts>{facts.join(' · ')}</Facts>
      </Alert>
      {rules.length > 0 ? (
        <Rules>
          {rules.map(({ rule, ok, expected, found }) => (
            <li key={`${rule} ${expected}`} data-ok={ok}>
              {translate(ok ? 'app.checks.fulfilled' : 'app.checks.broken')} {translate(`app.checks.fields.${rule}`)}:{' '}
              <code>{expected}</code>
              {ok || found === undefined ? null : ` (${found})`}
            </li>
          ))}
        </Rules>
      ) : null}
      {request ? (
        <details>
          <summary>{translate('app.checks.request_sent')}</summary>
          <AnswerText>{request}</AnswerText>
        </details>
      ) : null}
      {answer ? <CheckAnswer answer={answer} /> : null}
    </>
  )
}

const Panel = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(1.5) }))

const Row = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'end',
}))

const Facts = styled('div')({ fontVariantNumeric: 'tabular-nums', fontSize: 13 })

const Rules = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  overflowWrap: 'anywhere',
  '& li[data-ok=false]': { color: theme.vars.palette.error.main },
}))

/** Values that are offered: further ones are in the text. */
const maxValues = 200

/** The answer to a check. In JSON, a click on a value makes a rule of it, where the check has such rules. */
function CheckAnswer({ answer }: { answer: string }) {
  const translate = useTranslate()
  const { getValues, setValue } = useFormContext()
  const values = valuesIn(answer)
  const check: unknown = getValues('check')
  const rules = isObject(check) && Array.isArray(check.json) ? check.json : undefined
  const pick = (path: string, value: unknown) => {
    if (!isObject(check) || !rules) return
    setValue(
      'check',
      { ...check, json: [...rules, { path, op: '==', value }] },
      { shouldDirty: true, shouldTouch: true },
    )
  }
  if (!rules || values.length === 0)
    return <AnswerText aria-label={translate('app.checks.answer')}>{answer}</AnswerText>
  return (
    <div>
      <small>{translate('app.checks.pick')}</small>
      <AnswerText as="ul" aria-label={translate('app.checks.answer')}>
        {values.map(({ path, value }) => (
          <li key={path}>
            <Button size="small" onClick={() => pick(path, value)}>
              {path}
            </Button>{' '}
            {JSON.stringify(value)}
          </li>
        ))}
      </AnswerText>
    </div>
  )
}

/** The single values in a JSON text, with the paths to them; none for another text. */
function valuesIn(text: string): { path: string; value: unknown }[] {
  const found: { path: string; value: unknown }[] = []
  function add(value: unknown, steps: readonly (string | number)[]): void {
    if (found.length >= maxValues) return
    if (Array.isArray(value)) for (const [index, one] of value.entries()) add(one, [...steps, index])
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) add(one, [...steps, name])
    else found.push({ path: jsonPathText(steps), value })
  }
  try {
    add(JSON.parse(text), [])
  } catch {
    // An answer that is cut off, or no JSON.
  }
  return found
}

/** What was asked or answered. */
const AnswerText = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1),
  maxHeight: 320,
  overflow: 'auto',
  listStyle: 'none',
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.sunken,
  fontFamily: 'monospace',
  fontSize: 13,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  '& button': { fontFamily: 'monospace', textTransform: 'none', padding: '0 4px', minWidth: 0 },
}))
