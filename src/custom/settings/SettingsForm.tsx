import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { HttpError, useDataProvider, useNavigate, useNotify } from 'react-admin'
import { FormProvider, type Resolver, useForm, useWatch } from 'react-hook-form'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { apartFromForm } from '../../engine/form/apartFromForm.ts'
import { UnsavedChangesGuard } from '../../engine/form/DiscardDialog.tsx'
import { RestoredDraftAlert, useDraft } from '../../engine/form/useDraft.tsx'
import { ConflictDialog, type OpenConflict } from '../../engine/form/useSave.tsx'
import { asFormErrors, changesBetween, validate, valuesOf } from '../../engine/form/validate.ts'
import type { Version } from '../../engine/history/ChangeHistory.tsx'
import { useToast } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { useDialogOrder } from '../../engine/parts/useDialogOrder.ts'
import type { Conflict } from '../../records/writeRecords.ts'
import { sameValue, type Values } from '../../schemas/define/values.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { ownSettingKeys, type SiteSettingKey, siteSetting } from '../../schemas/settings/siteSetting.ts'
import { ReviewDialog } from './ReviewDialog.tsx'
import { SettingField } from './SettingField.tsx'
import { SettingPages, sectionAddress } from './SettingPages.tsx'
import { saveSetting, settingRecord } from './saveSetting.ts'
import { TemplatesContext } from './ThemeInput.tsx'

const SettingsHistoryDialog = lazyPart(() => import('./SettingsHistoryDialog.tsx'))

interface SettingsFormProps {
  /** The settings when the form was opened. */
  setting: Setting
  /** What belongs to the shown section and is saved on its own. */
  children?: ReactNode
  onSaved: (changes: Values) => void
}

/** All settings of the site. Changes are shown for review before they are saved. */
export function SettingsForm({ setting, children, onSaved }: SettingsFormProps) {
  const { texts, translate } = useScreen()
  const record = useMemo(() => settingRecord(setting.config), [setting])
  const before = useMemo(() => valuesOf(siteSetting, record), [record])
  const [reviewed, setReviewed] = useState<Values>()
  const [isSaved, setSaved] = useState(false)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const notify = useNotify()
  const navigate = useNavigate()
  const sent = useRef<Values>(undefined)
  const { save, isSaving, isHeld, conflict, decide, dismiss } = useSaveSetting(record, (changes) => {
    // Somebody went on typing when there was no answer.
    if (!sameValue(form.getValues(), sent.current)) return
    setSaved(true)
    setReviewed(undefined)
    onSaved(changes)
  })
  const noteSent = () => {
    sent.current = structuredClone(form.getValues())
  }
  const resolver: Resolver<Values> = (values) => {
    const { values: parsed, errors } = validate(siteSetting, values, Object.keys(changesBetween(before, values)))
    return parsed ? { values: parsed, errors: {} } : { values: {}, errors: asFormErrors(errors) }
  }
  const form = useForm<Values>({ defaultValues: before, resolver })
  const { restored, discard } = useDraft(siteSetting, 'site', before, form)
  const values = useWatch({ control: form.control })
  const isDirty = Object.keys(changesBetween(before, values)).length > 0 && !isSaved
  const restore = ({ values: earlier, lost }: Version) => {
    setHistoryOpen(false)
    const filled = valuesOf(siteSetting, earlier)
    for (const name of Object.keys(earlier)) form.setValue(name, filled[name], { shouldDirty: true })
    const fields = lost.map((name) => texts.label(name)).join(', ')
    if (fields) notify('app.changes.lost', { type: 'warning', messageArgs: { fields } })
  }
  const sections = useMemo(() => settingSectionsOf(setting), [setting])
  const review = form.handleSubmit(
    (changes) => setReviewed(changes),
    (errors) => {
      // What is wrong may be on another page of the settings.
      const wrong = sections.find(([, keys]) => keys.some((key) => key in errors))
      const isShown = wrong?.[1].some((key) => key in errors && document.getElementsByName(key).length > 0)
      if (wrong && !isShown) navigate(sectionAddress(wrong[0]))
    },
  )

  return (
    <FormProvider {...form}>
      <form
        noValidate
        aria-label={translate('app.site.title')}
        onSubmit={review}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void review()
        }}
      >
        {restored && isDirty ? <RestoredDraftAlert onDiscard={discard} /> : null}
        <TemplatesContext value={(setting.frontend_templates ?? []).filter(({ is_admin }) => !is_admin)}>
          <SettingPages sections={sections}>
            {(shown) => (
              <>
                {shown.map(([section, keys]) => {
                  const allUnused = keys.every((key) => isUnused(setting, key))
                  return (
                    <Panel
                      key={section}
                      title={texts.section(section)}
                      hint={allUnused ? translate('app.site.idle') : undefined}
                    >
                      <Fields>
                        {keys.map((key) => (
                          <SettingField key={key} name={key} isUnused={!allUnused && isUnused(setting, key)} />
                        ))}
                      </Fields>
                    </Panel>
                  )
                })}
                <div {...apartFromForm}>{children}</div>
              </>
            )}
          </SettingPages>
        </TemplatesContext>
        <Buttons>
          {setting.wheelhouse?.changes ? (
            <Button sx={{ marginRight: 'auto' }} onClick={() => setHistoryOpen(true)}>
              {translate('app.changes.tab.history')}
            </Button>
          ) : null}
          <Button disabled={!isDirty} onClick={() => form.reset(before)}>
            {translate('app.form.discard')}
          </Button>
          <Button type="submit" variant="contained" disabled={!isDirty}>
            {translate('app.site.review')}
          </Button>
        </Buttons>
      </form>
      {reviewed ? (
        <ReviewDialog
          setting={setting}
          before={before}
          changes={reviewed}
          isSaving={isSaving}
          isHeld={isHeld}
          onSave={() => {
            noteSent()
            void save(reviewed)
          }}
          onCancel={() => setReviewed(undefined)}
        />
      ) : null}
      {conflict ? (
        <ConflictDialog
          conflict={conflict}
          onDecide={(decided) => {
            noteSent()
            decide(decided)
          }}
          onCancel={dismiss}
        />
      ) : null}
      {isHistoryOpen ? (
        <Suspense>
          <SettingsHistoryDialog
            entity={siteSetting}
            title={translate('app.changes.settings')}
            now={record}
            onRestore={restore}
            onClose={() => setHistoryOpen(false)}
          />
        </Suspense>
      ) : null}
      <UnsavedChangesGuard isDirty={() => isDirty} isSent={isSaving} />
    </FormProvider>
  )
}

const Fields = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(2),
  maxWidth: 720,
  '& > *': { minWidth: 0 },
}))

/** Always visible, however long the page is. */
const Buttons = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  gap: theme.spacing(1),
  padding: theme.spacing(1.5, 0),
  background: theme.vars.palette.background.default,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

/**
 * Saves changed settings and reports the result; success only after the server's confirmation.
 * @param opened the settings when the form was opened
 * @param onSaved called with the saved changes
 */
function useSaveSetting(opened: Values, onSaved: (changes: Values) => void) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const toast = useToast()
  const { isSending, isHeld, send: order } = useDialogOrder()
  const [conflict, setConflict] = useState<OpenConflict>()

  const saveChanges = async (before: Values, changes: Values) => {
    try {
      if (Object.keys(changes).length > 0) await saveSetting(call, before, changes)
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 409) throw error
      return setConflict({ ...(error.body as Conflict), mine: changes })
    }
    onSaved(changes)
    toast.show({ key: 'app.site.saved' })
    // A changed real-IP header may have ended this session: the next request shows it.
    void queryClient.invalidateQueries({ queryKey: ['setting'] })
  }
  const send = (before: Values, changes: Values) =>
    order(
      () => saveChanges(before, changes),
      () => {},
    )

  return {
    isSaving: isSending,
    isHeld,
    save: (changes: Values) => send(opened, changes),
    conflict,
    /** Saves the decision, compared with the settings at the time of the conflict. */
    decide: (decided: Values) => {
      setConflict(undefined)
      if (conflict) void send(conflict.fresh, decided)
    },
    dismiss: () => setConflict(undefined),
  }
}

/** The sections of the settings page, in order. */
const sections: Readonly<Record<string, readonly SiteSettingKey[]>> = {
  site: ['site_name', 'language', 'user_template'],
  agents: ['install_host', 'tls', 'dns_servers'],
  hosts: ['dashboard_host', 'reserved_hosts', 'enable_mcp'],
  addresses: ['web_real_ip_header', 'agent_real_ip_header'],
  sign_in: ['session_binding', 'hide_password_form'],
  second_factor: ['require_second_factor', 'reauthentication_minutes', 'reauthentication_everybody'],
  notifications: [
    'enable_ip_change_notification',
    'ip_change_notification_group_id',
    'cover',
    'ignored_ip_notification',
    'enable_plain_ip_in_notification',
  ],
  terminals: ['terminal_hold_minutes', 'terminal_recording', 'recorded_servers', 'recording_days'],
  checks: ['check_user_agent'],
  alert_rules: ['inspect_minutes'],
  members: ['records_per_member'],
  code: ['custom_code_dashboard', 'custom_code'],
}

const newerSettings: readonly SiteSettingKey[] = [
  'agent_real_ip_header',
  'dashboard_host',
  'reserved_hosts',
  'enable_mcp',
]

/**
 * The sections with the settings that the server has. Servers leave out empty values, so a missing key alone does not
 * prove anything; but servers with `tsdb_enabled` also have the newer settings.
 */
export function settingSectionsOf({
  config,
  tsdb_enabled,
  wheelhouse,
}: Setting): [section: string, keys: readonly SiteSettingKey[]][] {
  function isKnown(key: SiteSettingKey): boolean {
    if (ownSettingKeys.some((own) => own === key)) return wheelhouse?.settings_in_use?.includes(key) ?? false
    return !newerSettings.includes(key) || key in config || tsdb_enabled !== undefined
  }
  return Object.entries(sections)
    .map(([section, keys]): [string, readonly SiteSettingKey[]] => [section, keys.filter(isKnown)])
    .filter(([, keys]) => keys.length > 0)
}

/** Whether the server stores a setting without using it. Nezha servers use all of them. */
function isUnused({ wheelhouse }: Setting, key: SiteSettingKey): boolean {
  const inUse = wheelhouse?.settings_in_use
  return inUse !== undefined && !inUse.includes(key)
}
