import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Endpoint } from '../../../src/schemas/define/endpoint.ts'
import { root } from '../../support/root.ts'

/** Calls that do no harm when a person sends them again because the first answer was lost, by why. */
const harmless = {
  'only looks, tries or writes a text': [
    ...['backtestAlertRule', 'measureFiles', 'planImport', 'previewNotifier', 'readInvitation', 'revealNotifier'],
    ...['testNotifier', 'testSignInProvider', 'tryCheck', 'askServers', 'reauthenticationOptions', 'signInOptions'],
  ],
  'sets what is set already': [
    ...['addPushDevice', 'admitAgents', 'blockOnlineUsers', 'cancelFileTransfer', 'cancelTransfer'],
    ...['deleteUsers', 'disableUser', 'discardUpload', 'dismissUndelivered', 'enableUser'],
    ...['endAccess', 'endQuestion', 'endTerminal', 'forceUpdate', 'logout', 'recordTerminal', 'releaseNat'],
    ...['resolveIncident', 'setFileRights', 'setOwnNotifiers', 'setPriority', 'setServerConfig', 'shareTerminal'],
    ...['unacknowledgeIncident', 'unbindOauth2', 'unshareTerminal', 'updateDdns', 'updateProfile'],
  ],
  'finds what the first one did, and is refused': [
    ...['acceptInvitation', 'addPasskey', 'applyConfiguration', 'bindDirectory', 'completeSignIn', 'copyFiles'],
    ...['createFile', 'createFolders', 'deleteFiles', 'moveFiles', 'moveServers', 'packFiles', 'placeUpload'],
    ...['retryTransfer', 'sendFiles', 'undoImport', 'unpackFile', 'addImportPart'],
  ],
  'takes the place of what the first one made': [
    'renewAgentSecret',
    'renewPush',
    'renewRecoveryCodes',
    'renewRotaFeed',
  ],
  'makes what ends by itself': [
    ...['archiveFiles', 'attachTerminal', 'joinTerminal', 'openFile', 'openTerminal', 'openUpload', 'startImportFile'],
    ...['startPasskey', 'startTotp', 'login', 'reauthenticate', 'refreshToken'],
  ],
  'has an id of its own, by which its receiver knows it': ['sendAgain'],
  'is meant twice when it is ordered twice: to restart again, to type a line again': [
    ...['actOnContainer', 'actOnUnit', 'signalProcess', 'typeIntoTerminal'],
  ],
}

async function posts(): Promise<[name: string, endpoint: Endpoint][]> {
  const folder = path.join(root, 'src/schemas/endpoints')
  const modules = await Promise.all((await readdir(folder)).map((file) => import(path.join(folder, file))))
  return modules
    .flatMap((module) => Object.entries(module).filter(([name]) => /endpoints$/i.test(name)))
    .flatMap(([, endpoints]) => Object.entries(endpoints as Record<string, Endpoint>))
    .filter(([, { method }]) => method === 'POST')
}

it('Each call that is a POST makes a record once, however often it is sent, or does no harm when it is done twice', async () => {
  const all = await posts()
  const named = Object.values(harmless).flat()
  expect(named.filter((name) => !all.some(([other]) => other === name))).toEqual([])
  const undecided = all.filter(([name, { makesRecord = false }]) => makesRecord === named.includes(name))
  expect(undecided.map(([name]) => name)).toEqual([])
})
