import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useTranslate } from 'react-admin'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { type Entry, type Items, unpackedName } from '../transfer/entries.ts'
import { joinPath, type RawPath, rawFromText } from '../transfer/remotePath.ts'
import type { OpenFolder } from '../transfer/useFolder.ts'
import { ChecksumDialog, SearchDialog, SizesDialog } from './AnswerDialogs.tsx'
import { FollowDialog } from './FollowDialog.tsx'
import { MoveDialog, SendDialog } from './MoveSendDialogs.tsx'
import { NameDialog } from './NameDialog.tsx'
import { RightsDialog } from './RightsDialog.tsx'
import type { FileActions } from './useFileActions.ts'
import type { Sending } from './useServerTransfers.ts'

interface ManageDialogsProps {
  serverId: number
  folder: OpenFolder
  items: Items
  actions: FileActions
  onGo: (folder: RawPath, active?: RawPath) => void
  onSend: (entries: readonly Entry[], sending: Sending) => void
}

/** What is asked before something is done with files. */
export default function ManageDialogs({ serverId, folder, items, actions, onGo, onSend }: ManageDialogsProps) {
  const translate = useTranslate()
  const { question, dismiss } = actions
  const isTaken = (name: string) => {
    const typed = rawFromText(name)
    return folder.entries.some(({ raw }) => raw === typed)
  }
  const go = (path: RawPath, active?: RawPath) => {
    dismiss()
    onGo(path, active)
  }
  const { path } = folder
  switch (question?.kind) {
    case 'create':
      return (
        <NameDialog
          title={translate(`app.files.manage.new_${question.what}`)}
          button={translate('app.files.manage.create')}
          name=""
          isNew
          isTaken={isTaken}
          onName={(name) => void actions.create(name, question.what)}
          onClose={dismiss}
        />
      )
    case 'rename':
      return (
        <NameDialog
          title={translate('app.files.manage.rename_title', { name: question.entry.name })}
          button={translate('app.files.manage.rename')}
          name={question.entry.name}
          isTaken={isTaken}
          onName={(name) => void actions.rename(question.entry, name)}
          onClose={dismiss}
        />
      )
    case 'delete':
      return (
        <DeleteDialog
          serverId={serverId}
          entries={question.entries}
          paths={actions.pathsOf(question.entries)}
          onConfirm={() => void actions.remove(question.entries)}
          onClose={dismiss}
        />
      )
    case 'rights':
      return (
        <RightsDialog
          entries={question.entries}
          items={items}
          onRights={(rights) => void actions.setRights(question.entries, rights)}
          onClose={dismiss}
        />
      )
    case 'pack': {
      const [first] = question.entries
      return (
        <NameDialog
          title={translate('app.files.manage.pack_title', { smart_count: question.entries.length })}
          button={translate('app.files.manage.pack')}
          name={`${question.entries.length === 1 ? first?.name : 'archive'}.tar.gz`}
          help={translate('app.files.manage.pack_help')}
          isNew
          isTaken={isTaken}
          onName={(name) => void actions.pack(question.entries, name)}
          onClose={dismiss}
        />
      )
    }
    case 'move':
      return (
        <MoveDialog
          serverId={serverId}
          path={path}
          entries={question.entries}
          onMove={(to, overwrite) => void actions.moveTo(question.entries, to, overwrite)}
          onClose={dismiss}
        />
      )
    case 'send':
      return (
        <SendDialog
          serverId={serverId}
          path={path}
          entries={question.entries}
          onSend={(sending) => {
            dismiss()
            onSend(question.entries, sending)
          }}
          onClose={dismiss}
        />
      )
    case 'unpack':
      return (
        <NameDialog
          title={translate('app.files.manage.unpack_title', { name: question.entry.name })}
          button={translate('app.files.manage.unpack')}
          name={unpackedName(question.entry.name)}
          isNew
          isTaken={isTaken}
          onName={(name) => void actions.unpack(question.entry, name)}
          onClose={dismiss}
        />
      )
    case 'checksum': {
      const { raw, name } = question.entry
      return <ChecksumDialog serverId={serverId} path={joinPath(path, raw)} name={name} onClose={dismiss} />
    }
    case 'follow': {
      const { raw, name } = question.entry
      return <FollowDialog serverId={serverId} path={joinPath(path, raw)} name={name} onClose={dismiss} />
    }
    case 'search':
      return <SearchDialog serverId={serverId} path={path} onGo={go} onClose={dismiss} />
    case 'sizes':
      return <SizesDialog serverId={serverId} path={path} onGo={go} onClose={dismiss} />
    case 'overwrite':
      return (
        <QuestionDialog
          title={translate('app.files.overwrite_title', { smart_count: question.names.length })}
          button={translate('app.files.overwrite', { smart_count: question.names.length })}
          onConfirm={question.paste}
          onCancel={dismiss}
        >
          <p style={{ overflowWrap: 'anywhere' }}>{question.names.slice(0, 8).join(', ')}</p>
        </QuestionDialog>
      )
    default:
      return null
  }
}

interface DeleteDialogProps {
  serverId: number
  entries: readonly Entry[]
  /** As requests have them. */
  paths: string[]
  onConfirm: () => void
  onClose: () => void
}

const namesShown = 8

/** Asks before files and folders are deleted: by name, and how much is in them. */
function DeleteDialog({ serverId, entries, paths, onConfirm, onClose }: DeleteDialogProps) {
  const { locale, translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error } = useQuery({
    queryKey: ['files', serverId, 'measure', paths],
    queryFn: () => call(fileEndpoints.measureFiles, { id: serverId, paths }),
    gcTime: 0,
    retry: false,
  })
  const [measured] = data?.items ?? []
  const rest = entries.length - namesShown
  const [first] = entries
  const unknown = error?.message ?? data?.reason
  return (
    <QuestionDialog
      title={
        entries.length === 1
          ? translate('app.files.manage.delete_one', { name: first?.name })
          : translate('app.files.manage.delete_many', { smart_count: entries.length })
      }
      button={translate('app.action.delete')}
      onConfirm={onConfirm}
      onCancel={onClose}
    >
      {entries.length > 1 ? (
        <ul style={{ margin: '0 0 12px', paddingLeft: 20, overflowWrap: 'anywhere' }}>
          {entries.slice(0, namesShown).map(({ raw, name }) => (
            <li key={raw}>{name}</li>
          ))}
          {rest > 0 ? <li>{translate('app.files.manage.and_more', { smart_count: rest })}</li> : null}
        </ul>
      ) : null}
      <Typography role="status">
        {measured
          ? [
              translate('app.files.manage.files', { smart_count: measured.files }),
              ...(measured.folders > 0
                ? [translate('app.files.manage.folders', { smart_count: measured.folders })]
                : []),
              formatBytes(measured.bytes, locale),
            ].join(' · ')
          : unknown
            ? translate('app.files.manage.not_counted', { reason: unknown })
            : translate('app.files.manage.counting')}
      </Typography>
      <Typography color="textSecondary">{translate('app.files.manage.no_undo')}</Typography>
    </QuestionDialog>
  )
}
