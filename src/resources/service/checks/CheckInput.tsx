import AddIcon from '@mui/icons-material/Add'
import CloseIcon from '@mui/icons-material/Close'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type ComponentType, use, useId, useMemo } from 'react'
import { useRecordContext, useTranslate } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { useLosesSecrets } from '../../../engine/define/screen.ts'
import { CopyContext } from '../../../engine/form/newValues.ts'
import { issueMessage } from '../../../engine/form/validate.ts'
import { describedBy, FieldFrame, type InputProps, useField } from '../../../engine/kinds/parts/kind.tsx'
import type { CheckKind } from '../../../schemas/checks/checkKind.ts'
import { type CheckKindName, checkKindNames, checkKinds, check as checkSchema } from '../../../schemas/checks/checks.ts'
import { bodyTypes, httpMethods, httpVersions, jsonOperators } from '../../../schemas/checks/http.ts'
import { isObject, keysOf, type Values } from '../../../schemas/define/values.ts'
import { service } from '../../../schemas/service.ts'
import {
  CheckChoice,
  CheckFlag,
  type CheckForm,
  CheckFormContext,
  CheckGrid,
  CheckNumber,
  CheckPairs,
  CheckText,
  useCheckForm,
} from './controls.tsx'
import {
  DatabaseFields,
  DnsFields,
  GroupFields,
  GrpcFields,
  MailFields,
  MqttFields,
  PingFields,
  PushFields,
  SshFields,
  TcpFields,
  TlsFields,
  WebsocketFields,
} from './kindFields.tsx'
import { TryPanel } from './TryPanel.tsx'

/** How a service is checked: by its type alone, or by a kind of check with fields of its own, which can be tried. */
export default function CheckInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField<unknown>(description)
  const record = useRecordContext()
  const losesSecrets = useLosesSecrets()
  const isCopy = use(CopyContext) !== undefined
  const values: Values = useWatch()
  const check = isObject(field.value) ? field.value : undefined
  const kind = checkKindNames.find((name) => name === check?.kind)
  const errors = useMemo(() => (error && check ? errorsOf(check, translate) : new Map()), [error, check, translate])
  const Fields = kind && kindFields[kind]
  const { setValue } = useFormContext()
  const choose = (chosen: string) => field.onChange(chosen ? newCheck(chosen as CheckKindName, check) : null)
  const begin = (chosen: string) => {
    const template = templateNames.find((name) => name === chosen)
    if (!template) return
    const { kind, check: fields, duration, retries } = templates[template]
    field.onChange({ ...newCheck(kind, undefined), ...fields })
    const options = { shouldDirty: true, shouldTouch: true }
    setValue('duration', duration, options)
    setValue('retries', retries, options)
  }
  const keepsSecrets = record?.check !== undefined && !losesSecrets(record, values)
  const form: CheckForm | undefined = check && {
    check,
    set: (changes: Values) => field.onChange({ ...check, ...changes }),
    errors,
    emptySecrets: isCopy ? 'not_copied' : keepsSecrets ? 'kept' : undefined,
  }
  return (
    <Frame>
      {record?.id === undefined ? (
        <FieldFrame id={`${id}-template`} label={translate('app.checks.template')} required>
          <NativeSelect
            value=""
            input={<OutlinedInput size="small" notched={false} />}
            inputProps={{ id: `${id}-template` }}
            onChange={(event) => begin(event.target.value)}
          >
            <option value="">{translate('app.checks.no_template')}</option>
            {templateNames.map((name) => (
              <option key={name} value={name}>
                {translate(`app.checks.templates.${name}`)}
              </option>
            ))}
          </NativeSelect>
        </FieldFrame>
      ) : null}
      <FieldFrame id={id} label={label} help={help} required error={errors.size > 0 ? undefined : error}>
        <NativeSelect
          value={check ? String(check.kind) : ''}
          inputRef={field.ref}
          onBlur={field.onBlur}
          input={<OutlinedInput size="small" notched={false} />}
          inputProps={{ id, 'aria-describedby': describedBy(id) }}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{translate('app.checks.by_type')}</option>
          {checkKindNames.map((name) => (
            <option key={name} value={name}>
              {translate(`app.checks.kinds.${name}`)}
            </option>
          ))}
          {check && !kind ? <option value={String(check.kind)}>{String(check.kind)}</option> : null}
        </NativeSelect>
      </FieldFrame>
      {form && Fields ? (
        <CheckFormContext value={form}>
          <Fields />
        </CheckFormContext>
      ) : null}
      {kind === 'push' ? null : <TryPanel />}
    </Frame>
  )
}

/** A check of a kind as it begins: with the fields that it has in common with the one before. */
function newCheck(kind: CheckKindName, before: Values | undefined): Values {
  const definition: CheckKind = checkKinds[kind]
  const fresh: Values = definition.schema.safeParse({ kind }).data ?? { kind, ...definition.initial }
  const common = Object.keys(fresh).filter((name) => name !== 'kind' && before !== undefined && name in before)
  return { ...fresh, ...Object.fromEntries(common.map((name) => [name, before?.[name]])) }
}

/** What is wrong with the fields of a check, by their paths. */
function errorsOf(check: Values, translate: ReturnType<typeof useTranslate>): Map<string, string> {
  const { error } = checkSchema.safeParse(check, { reportInput: true })
  return new Map(
    (error?.issues ?? []).map((issue) => {
      const { message, args } = issueMessage({ ...issue, path: ['check', ...issue.path] }, service, {})
      return [issue.path.join('.'), translate(message, args)]
    }),
  )
}

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  '& details': { display: 'grid' },
  '& summary': { cursor: 'pointer', fontSize: 13, fontWeight: 600, paddingBlock: theme.spacing(0.5) },
  '& details > :not(summary)': { marginTop: theme.spacing(1.5) },
}))

/** What a service begins with: fields of it, and those of its check that differ from what they are by themselves. */
interface Template {
  kind: CheckKindName
  check: Values
  /** Seconds between two checks. */
  duration: number
  retries: number
}

/** What people watch most, by the names of their texts. */
const templates = {
  website: { kind: 'http', check: { codes: '200-299' }, duration: 60, retries: 1 },
  api: {
    kind: 'http',
    check: {
      auth: { kind: 'bearer', token: '' },
      codes: '200',
      answer_headers: { 'content-type': '' },
      json: [{ path: '$.status', op: '==', value: 'ok' }],
    },
    duration: 60,
    retries: 1,
  },
  mail: { kind: 'smtp', check: { capabilities: 'STARTTLS' }, duration: 300, retries: 2 },
  database: { kind: 'postgres', check: { query: 'SELECT 1' }, duration: 60, retries: 1 },
  certificate: { kind: 'tls', check: { days_left: 14 }, duration: 3600, retries: 1 },
  backup: { kind: 'push', check: { schedule: '0 30 3 * * *', grace: 3600 }, duration: 60, retries: 0 },
} as const satisfies Readonly<Record<string, Template>>

const templateNames = keysOf(templates)

/** The part of the form for each kind of check. */
const kindFields: Readonly<Record<CheckKindName, ComponentType>> = {
  http: HttpFields,
  tls: TlsFields,
  tcp: TcpFields,
  push: PushFields,
  group: GroupFields,
  dns: DnsFields,
  smtp: MailFields,
  imap: MailFields,
  pop3: MailFields,
  ssh: SshFields,
  postgres: DatabaseFields,
  mysql: DatabaseFields,
  redis: DatabaseFields,
  mongodb: DatabaseFields,
  grpc: GrpcFields,
  websocket: WebsocketFields,
  mqtt: MqttFields,
  ping: PingFields,
}

/** The fields of an HTTP check. */
function HttpFields() {
  const { check, emptySecrets } = useCheckForm()
  const translate = useTranslate()
  return (
    <>
      <CheckGrid>
        <CheckChoice name="method" choices={httpMethods} worded={[]} />
        <CheckText name="codes" help="codes" placeholder="200-399" />
      </CheckGrid>
      <CheckGrid>
        <CheckText name="contains" />
        <CheckText name="absent" />
      </CheckGrid>
      <CheckText name="pattern" help="pattern" />
      <JsonRules />
      <details open={emptySecrets === 'not_copied'}>
        <summary>{translate('app.checks.request')}</summary>
        <CheckPairs name="headers" isSecret />
        {check.method === 'GET' || check.method === 'HEAD' ? null : (
          <>
            <CheckChoice name="body_type" choices={bodyTypes} />
            <CheckText name="body" lines={3} isSecret />
          </>
        )}
        <AuthFields />
      </details>
      <details>
        <summary>{translate('app.checks.connection')}</summary>
        <CheckPairs name="answer_headers" help="answer_headers" />
        <CheckGrid>
          <CheckNumber name="max_redirects" />
          <CheckChoice name="http_version" choices={httpVersions} worded={['auto']} />
        </CheckGrid>
        <CheckText name="proxy" placeholder="http://proxy.example.org:3128" />
        <CheckFlag name="verify_tls" />
        {check.verify_tls ? <CheckText name="ca" lines={2} help="ca" /> : null}
      </details>
    </>
  )
}

const emptyAuth: Readonly<Record<string, Values | null>> = {
  '': null,
  basic: { kind: 'basic', user: '', password: '' },
  bearer: { kind: 'bearer', token: '' },
  certificate: { kind: 'certificate', cert: '', key: '' },
}

/** The sign-in: its fields are those of an object of their own. */
function AuthFields() {
  const form = useCheckForm()
  const auth = isObject(form.check.auth) ? form.check.auth : {}
  const kind = String(auth.kind ?? '')
  const inner = {
    ...form,
    check: { ...auth, auth: kind },
    set: (changes: Values) => form.set({ auth: { ...auth, ...changes } }),
    errors: new Map([...form.errors].map(([path, text]) => [path.replace(/^auth\./, ''), text])),
  }
  return (
    <CheckFormContext value={inner}>
      <CheckChoice
        name="auth"
        choices={Object.keys(emptyAuth)}
        onChoose={(chosen) => form.set({ auth: emptyAuth[chosen] ?? null })}
      />
      {kind === 'basic' ? (
        <CheckGrid>
          <CheckText name="user" />
          <CheckText name="password" isSecret />
        </CheckGrid>
      ) : null}
      {kind === 'bearer' ? <CheckText name="token" isSecret /> : null}
      {kind === 'certificate' ? (
        <>
          <CheckText name="cert" lines={2} />
          <CheckText name="key" lines={2} isSecret />
        </>
      ) : null}
    </CheckFormContext>
  )
}

/** Rules about values in a JSON answer: a path, a comparison and a value each. */
function JsonRules() {
  const translate = useTranslate()
  const { check, set, errors } = useCheckForm()
  const rules = (Array.isArray(check.json) ? check.json : []).map((rule) => (isObject(rule) ? rule : {}))
  const id = useId()
  const label = translate('app.checks.fields.json')
  const error = [...errors].find(([path]) => path.startsWith('json.'))?.[1] ?? errors.get('json')
  const change = (index: number, changes: Values) => set({ json: rules.with(index, { ...rules[index], ...changes }) })
  return (
    <FieldFrame id={id} label={label} help={translate('app.checks.help.json')} required={false} error={error}>
      <div style={{ display: 'grid', gap: 8 }}>
        {rules.map((rule, index) => {
          const at = `${label}, ${index + 1}`
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no ids, only positions
            <div key={index} style={{ display: 'flex', gap: 8 }}>
              <OutlinedInput
                size="small"
                placeholder="$.status"
                value={String(rule.path ?? '')}
                onChange={({ target }) => change(index, { path: target.value })}
                slotProps={{ input: { 'aria-label': `${at}: ${translate('app.checks.path')}` } }}
                sx={{ flex: 3, minWidth: 0 }}
              />
              <NativeSelect
                value={String(rule.op ?? '==')}
                input={<OutlinedInput size="small" notched={false} />}
                inputProps={{ 'aria-label': `${at}: ${translate('app.checks.operator')}` }}
                onChange={({ target }) => change(index, { op: target.value })}
              >
                {jsonOperators.map((op) => (
                  <option key={op} value={op}>
                    {op}
                  </option>
                ))}
              </NativeSelect>
              {rule.op === 'exists' ? null : (
                <OutlinedInput
                  size="small"
                  value={typeof rule.value === 'string' ? rule.value : JSON.stringify(rule.value ?? '')}
                  onChange={({ target }) => change(index, { value: target.value })}
                  slotProps={{ input: { 'aria-label': `${at}: ${translate('app.form.pair_value')}` } }}
                  sx={{ flex: 2, minWidth: 0 }}
                />
              )}
              <IconButton
                size="small"
                aria-label={translate('app.form.remove_pair', { name: String(rule.path || index + 1) })}
                onClick={() => set({ json: rules.toSpliced(index, 1) })}
              >
                <CloseIcon fontSize="small" />
              </IconButton>
            </div>
          )
        })}
        <Button
          size="small"
          startIcon={<AddIcon fontSize="small" />}
          onClick={() => set({ json: [...rules, { path: '', op: '==', value: '' }] })}
          sx={{ justifySelf: 'start' }}
        >
          {translate('app.checks.add_json')}
        </Button>
      </div>
    </FieldFrame>
  )
}
