import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import LinearProgress from '@mui/material/LinearProgress'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { joinPath, nameOf, parentOf, type RawPath, shownPath } from '../transfer/remotePath.ts'
import { FoundList } from './FoundList.tsx'
import { pathText, rawOfText } from './fileItems.ts'

interface SearchDialogProps {
  serverId: number
  /** The folder that is open. */
  path: RawPath
  onGo: (folder: RawPath, active: RawPath) => void
  onClose: () => void
}

/** Searches below a folder: by a part of the name, and by what is in the files. */
export function SearchDialog({ serverId: id, path, onGo, onClose }: SearchDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<{ name: string; text: string }>()
  const { data, error, isFetching } = useQuery({
    queryKey: ['files', id, 'search', path, asked],
    queryFn: () => call(fileEndpoints.searchFiles, { id, path: pathText(path), ...asked }),
    enabled: asked !== undefined,
    gcTime: 0,
    retry: false,
  })
  const problem = error?.message ?? data?.reason
  const found = data?.items ?? []
  return (
    <ActionDialog title={translate('app.files.manage.search_title', { path: shownPath(path) })} onClose={onClose}>
      <form
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          if (name || text) setAsked({ name, text })
        }}
      >
        <DialogContent sx={{ display: 'grid', gap: 2, '&&': { paddingTop: 1 } }}>
          <TextField
            label={translate('app.files.manage.search_name')}
            value={name}
            autoFocus
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label={translate('app.files.manage.search_text')}
            helperText={translate('app.files.manage.search_help')}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {isFetching ? <LinearProgress aria-label={translate('app.list.loading')} /> : null}
          {problem ? <Alert severity="error">{problem}</Alert> : null}
          {data && !problem ? (
            <FoundList
              status={translate('app.files.manage.found', { smart_count: found.length })}
              items={found.map((item) => ({ raw: rawOfText(item.path) }))}
              onChoose={(raw) => {
                const whole = joinPath(path, raw)
                onGo(parentOf(whole) ?? '/', nameOf(whole))
              }}
            />
          ) : null}
          {data?.truncated ? (
            <Alert severity="info">{translate('app.files.manage.more_found', { count: found.length })}</Alert>
          ) : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.close')}</Button>
          <Button type="submit" variant="contained" disabled={isFetching || (!name && !text)}>
            {translate('app.files.manage.search')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
