import Close from '@mui/icons-material/Close'
import ContentCopy from '@mui/icons-material/ContentCopy'
import ContentCut from '@mui/icons-material/ContentCut'
import ContentPaste from '@mui/icons-material/ContentPaste'
import DeleteOutline from '@mui/icons-material/DeleteOutlined'
import DriveFileRenameOutline from '@mui/icons-material/DriveFileRenameOutline'
import LockOutlined from '@mui/icons-material/LockOutlined'
import MoreVert from '@mui/icons-material/MoreVert'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { MenuButton } from '../../../components/MenuButton.tsx'
import { type Entry, isArchive } from '../transfer/remotePath.ts'
import type { FileActions } from './useFileActions.ts'

interface ManageBarProps {
  selected: readonly Entry[]
  actions: FileActions
  onArchive: () => void
  onClear: () => void
}

/** What can be done with the selected files, and the button to paste those that were copied or cut. */
export function ManageBar({ selected, actions, onArchive, onClear }: ManageBarProps) {
  const translate = useTranslate()
  const { clip, isBusy } = actions
  const count = selected.length
  const [first] = selected
  const single = count === 1 ? first : undefined
  const more = [
    'move' as const,
    'send' as const,
    'pack' as const,
    ...(single && isArchive(single.name) && !single.isFolder ? (['unpack'] as const) : []),
    ...(single && !single.isFolder ? (['follow', 'checksum'] as const) : []),
  ].map((key) => ({ key, label: translate(`app.files.manage.${key}`), onSelect: () => actions.ask(key) }))
  const archive = { key: 'archive', label: translate('app.files.manage.archive'), onSelect: onArchive }
  const act = (key: string, icon: ReactNode, onClick: () => void) => (
    <IconButton
      size="small"
      color="inherit"
      disabled={isBusy}
      aria-label={translate(key)}
      title={translate(key)}
      onClick={onClick}
    >
      {icon}
    </IconButton>
  )
  if (count > 0) {
    return (
      <Bar role="toolbar" aria-label={translate('app.files.manage.selected', { smart_count: count })}>
        <span role="status">{translate('app.files.manage.selected', { smart_count: count })}</span>
        {act('app.files.manage.copy', <ContentCopy fontSize="small" />, () => actions.hold('copy'))}
        {act('app.files.manage.cut', <ContentCut fontSize="small" />, () => actions.hold('move'))}
        {count === 1
          ? act('app.files.manage.rename', <DriveFileRenameOutline fontSize="small" />, () => actions.ask('rename'))
          : null}
        {act('app.files.manage.rights', <LockOutlined fontSize="small" />, () => actions.ask('rights'))}
        {act('app.action.delete', <DeleteOutline fontSize="small" />, () => actions.ask('delete'))}
        <MenuButton
          label={translate('app.files.manage.more')}
          icon={<MoreVert fontSize="small" />}
          items={[archive, ...more]}
        />
        {act('app.list.clear_selection', <Close fontSize="small" />, onClear)}
      </Bar>
    )
  }
  if (!clip) return null
  return (
    <Bar>
      <Button size="small" startIcon={<ContentPaste fontSize="small" />} disabled={isBusy} onClick={actions.paste}>
        {translate(`app.files.manage.paste.${clip.kind}`, { smart_count: clip.entries.length })}
      </Button>
      {act('app.action.cancel', <Close fontSize="small" />, actions.dropClip)}
    </Bar>
  )
}

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flex: 'none',
  gap: theme.spacing(0.5),
  minHeight: 36,
  marginInline: theme.spacing(1),
  paddingInline: theme.spacing(1),
  fontSize: 13,
  background: theme.vars.palette.sunken,
  borderRadius: theme.shape.borderRadius,
  '& > span, & > .MuiButton-root': { marginInlineEnd: 'auto' },
}))
