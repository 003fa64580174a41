import { describe, expect, it } from 'vitest'
import {
  argumentProblem,
  commandUsage,
  commandWords,
  misspelledSettings,
  usageFailure,
} from '../../../scripts/bootstrap/usage.mjs'

describe('The words behind a command', () => {
  it.each([
    [['plan', 'a', '--server'], 'Say which: --server URL'],
    [['plan', 'a', '--server='], 'Say which: --server URL'],
    [['export', 'a', '--prune'], 'Unknown argument --prune: '],
    [['plan', 'a', '--prune=yes'], 'Unknown argument --prune=yes: '],
    [['plan', 'a', '-s', 'x'], 'Unknown argument -s: '],
    [['plan', 'a', '--constructor'], 'Unknown argument --constructor: '],
    [['plan', 'a', 'b'], 'Unknown argument b: plan takes one FILE.'],
    [['bakcup', 'a'], 'Unknown argument bakcup: did you mean backup?'],
    [['reset-pasword'], 'Unknown argument reset-pasword: did you mean reset-password?'],
    [['backup', 'a', '--histroy'], 'Unknown argument --histroy: did you mean --history?'],
  ])('are refused where they make no sense: %j', (args, words) => {
    expect(argumentProblem(args, 'wheelhouse')).toContain(words)
  })

  it('are an argument and options, in any order and in both ways to write a value', () => {
    const words = ['--prune', '--server', 'https://a.example', 'file.yaml', '--token=x=y']
    expect(argumentProblem(['plan', ...words], 'wheelhouse')).toBeUndefined()
    expect(commandWords('plan', words)).toEqual({
      argument: 'file.yaml',
      second: '',
      options: { prune: true, server: 'https://a.example', token: 'x=y' },
    })
  })

  it('are explained by --help, whatever else stands there', () => {
    const help = commandUsage(['plan', '--nope', '--help'], 'wheelhouse')
    expect(argumentProblem(['plan', '--nope', '--help'], 'wheelhouse')).toBeUndefined()
    expect(help).toMatch(
      /^Usage: wheelhouse plan FILE \[--server URL\] .*\[--secrets\]\n\nPrints what applying such a file would change/,
    )
    expect(help).not.toMatch(/\n {2}/)
    expect(commandUsage(['reset-password', '-h'], 'npm start --')).toContain('npm start -- reset-password [USER] [--')
    expect(commandUsage(['backup', 'FILE'], 'wheelhouse')).toBeUndefined()
    expect(argumentProblem(['nope', '--help'], 'wheelhouse')).toContain('Unknown argument nope: ')
  })

  it('end with exit code 1 where 2 says that there are changes', () => {
    expect(['plan', 'apply', 'export', 'backup', undefined].map(usageFailure)).toEqual([1, 1, 1, 2, 2])
  })
})

describe('A setting whose name is misspelled', () => {
  it.each([
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['TLS_CRT', 'TLS_CERT'],
    ['DISABLE_COMAND_EXECUTE', 'DISABLE_COMMAND_EXECUTE'],
    ['FORCE_AUTHS', 'FORCE_AUTH'],
  ])('%s is told with the name that was meant', (name, meant) => {
    expect(misspelledSettings({ [name]: 'x' })).toEqual([`${name} is no setting: did you mean ${meant}?`])
  })

  it('is none of the names that other programs have, nor one that is right', () => {
    const right = ['PORT', 'DATA_DIR', 'TLS_KEY', 'BACKUP_DIR', 'WHEELHOUSE_TOKEN']
    const short = ['PATH', 'POST', 'HOSTS', 'TEMP_DIR', 'BASE_DIR', 'META_DIR', 'JAVA_DIR']
    const others = ['TLS_PORT', 'SSL_CERT', 'BACKUP_NAME', 'BACKUP_TYPE', 'BACKUP_KEY', 'BACKUP_DAY', 'DATABASE_USER']
    const names = [...right, ...short, ...others]
    expect(misspelledSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
  })
})
