import AddIcon from '@mui/icons-material/Add'
import Close from '@mui/icons-material/Close'
import MoreHoriz from '@mui/icons-material/MoreHoriz'
import MoreVert from '@mui/icons-material/MoreVert'
import UploadIcon from '@mui/icons-material/UploadFileOutlined'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { type ChangeEvent, Fragment, useRef, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import { copyText } from '../../../components/copyText.ts'
import { HiddenFileInput } from '../../../components/inputs/HiddenFileInput.tsx'
import { PathField } from '../../../components/inputs/PathField.tsx'
import { MenuButton } from '../../../components/MenuButton.tsx'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import type { FileActions } from '../manage/useFileActions.ts'
import { type LocalFile, pickedFiles } from '../transfer/droppedFiles.ts'
import { nameOf, parentOf, type RawPath, shownPath, typedPath } from '../transfer/remotePath.ts'

/** One step of the way down to a folder. */
interface Step {
  path: RawPath
  /** For reading. */
  name: string
}

const stepsShown = 3

/** The last three steps to a folder, and the folders above these, the nearest first. */
export function breadcrumb(path: RawPath): { shown: Step[]; ancestors: Step[] } {
  const steps: Step[] = []
  for (let at: RawPath | undefined = path; at !== undefined; at = parentOf(at)) {
    steps.unshift({ path: at, name: shownPath(nameOf(at)) || '/' })
  }
  return { shown: steps.slice(-stepsShown), ancestors: steps.slice(0, -stepsShown).reverse() }
}

interface PathBarProps {
  /** `undefined` until the first folder is there. */
  path: RawPath | undefined
  showsHidden: boolean
  onShowHidden: (shows: boolean) => void
  onOpen: (path: RawPath) => void
  onRefresh: () => void
  onGoTo: () => void
  onUpload: (files: LocalFile[]) => void
  /** Left out where files cannot be managed. */
  actions: Pick<FileActions, 'askToCreate' | 'askAbout'> | undefined
  onClose?: () => void
}

/** The path of the open folder, the way up, and actions on the whole folder. */
export function PathBar(props: PathBarProps) {
  const { path, showsHidden, onShowHidden, onOpen, onRefresh, onGoTo, onUpload, actions, onClose } = props
  const translate = useTranslate()
  const notify = useNotify()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const { shown, ancestors } = breadcrumb(path ?? '/')

  const copy = async () => {
    try {
      await copyText(shownPath(path ?? '/'))
      notify('app.action.copied', { type: 'success' })
    } catch (cause) {
      console.error('Copying failed.', cause)
      notify('app.toast.copy_failed', { type: 'error' })
    }
  }
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const picked = pickedFiles(target.files ?? [])
    // Reset, or picking the same files again would cause no change event.
    target.value = ''
    onUpload(picked)
  }

  return (
    <Bar>
      <nav aria-label={translate('app.files.path')}>
        {ancestors.length ? (
          <MenuButton
            label={translate('app.files.above')}
            icon={<MoreHoriz fontSize="small" />}
            items={ancestors.map((step) => ({ key: step.path, label: step.name, onSelect: () => onOpen(step.path) }))}
          />
        ) : null}
        {path === undefined
          ? null
          : shown.map((step, at) => (
              <Fragment key={step.path}>
                {at > 0 && step.path !== '/' && shown[at - 1]?.path !== '/' ? <span aria-hidden>/</span> : null}
                <button
                  type="button"
                  title={shownPath(step.path)}
                  aria-current={at === shown.length - 1 ? 'location' : undefined}
                  onClick={() => onOpen(step.path)}
                >
                  {step.name}
                </button>
              </Fragment>
            ))}
      </nav>
      {actions ? (
        <MenuButton
          label={translate('app.files.manage.new')}
          icon={<AddIcon fontSize="small" />}
          items={(['folder', 'file'] as const).map((what) => ({
            key: what,
            label: translate(`app.files.manage.new_${what}`),
            onSelect: () => actions.askToCreate(what),
          }))}
        />
      ) : null}
      <MenuButton
        label={translate('app.files.upload')}
        icon={<UploadIcon fontSize="small" />}
        items={[
          { key: 'files', label: translate('app.files.upload_files'), onSelect: () => files.current?.click() },
          { key: 'folder', label: translate('app.files.upload_folder'), onSelect: () => folder.current?.click() },
        ]}
      />
      <MenuButton
        label={translate('app.files.menu')}
        icon={<MoreVert fontSize="small" />}
        items={[
          { key: 'refresh', label: translate('app.list.refresh'), onSelect: onRefresh },
          { key: 'copy', label: translate('app.files.copy_path'), onSelect: () => void copy() },
          { key: 'go', label: translate('app.files.go_to'), onSelect: onGoTo },
          {
            key: 'hidden',
            label: translate(showsHidden ? 'app.files.hide_hidden' : 'app.files.show_hidden'),
            onSelect: () => onShowHidden(!showsHidden),
          },
          ...(actions ? (['search', 'sizes'] as const) : []).map((key) => ({
            key,
            label: translate(`app.files.manage.ask_${key}`),
            onSelect: () => actions?.askAbout(key),
          })),
        ]}
      />
      {onClose ? (
        <IconButton color="inherit" aria-label={translate('app.files.close')} onClick={onClose}>
          <Close fontSize="small" />
        </IconButton>
      ) : null}
      <HiddenFileInput ref={files} multiple data-upload="files" onChange={pick} />
      <HiddenFileInput ref={folder} multiple data-upload="folder" {...wholeFolder} onChange={pick} />
    </Bar>
  )
}

/** React's types do not know it yet. */
const wholeFolder = { webkitdirectory: '' }

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flex: 'none',
  minHeight: 40,
  paddingInline: 8,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > nav': { display: 'flex', alignItems: 'center', flex: 1, minWidth: 0, gap: 1, fontSize: 13 },
  '& > nav > span': { flex: 'none', color: theme.vars.palette.text.secondary },
  '& > nav > button:not(.MuiButtonBase-root)': {
    all: 'unset',
    boxSizing: 'border-box',
    minWidth: 24,
    padding: '4px 5px',
    borderRadius: 6,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    '&:hover': { background: theme.vars.palette.sunken },
    '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
    // Where there is room for one name only, it is that of the folder on screen.
    flexShrink: 1000,
    '&[aria-current]': { flexShrink: 1, fontWeight: 600 },
  },
}))

interface GoToDialogProps {
  /** The folder that is open. */
  path: RawPath | undefined
  onGo: (path: RawPath) => void
  onClose: () => void
}

/** Asks for a path. */
export function GoToDialog({ path, onGo, onClose }: GoToDialogProps) {
  const translate = useTranslate()
  const start = path === undefined ? '' : shownPath(path)
  const [typed, setTyped] = useState(start)
  return (
    <ActionDialog title={translate('app.files.go_to')} onClose={onClose} width={480}>
      <form
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          // An unchanged text is the folder itself, even if its name is not valid UTF-8.
          onGo(typed === start && path !== undefined ? path : typedPath(typed, path))
        }}
      >
        <DialogContent>
          <PathField
            label={translate('app.files.path')}
            autoFocus
            value={typed}
            onChange={setTyped}
            onFocus={({ target }) => target.select()}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.files.go_to')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
