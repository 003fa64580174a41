import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Containers by name: their state, which the fake engine changes. */
const containers = { web: 'running', db: 'running', old: 'exited' } as const

const idOf = (name: string) => Buffer.from(name).toString('hex').padEnd(64, '0')

/** Answers as docker 27 does, for the calls that are made of it. */
const docker = (folder: string) => `#!/bin/sh
cd '${folder}/containers' || exit 1
id() { case $1 in web) echo ${idOf('web')} ;; db) echo ${idOf('db')} ;; old) echo ${idOf('old')} ;; esac; }
name() { for n in *; do case $(id $n) in "$1"*) echo $n; return ;; esac; [ "$n" = "$1" ] && echo $n && return; done; }
echo "$@" >> '${folder}/docker.calls'
case $1 in
  ps)
    case $2 in
      -aq) for n in *; do id $n; done ;;
      *) for n in *; do
          case $(cat $n) in running) s='Up 3 hours (healthy)' ;; paused) s='Up 3 hours (Paused)' ;; *) s='Exited (0) 2 days ago' ;; esac
          printf '%s\\t%s\\t%s\\t%s\\t%s\\n' $(id $n) $n "registry.example/$n:1.2" "$s" '0.0.0.0:8080->80/tcp'
        done ;;
    esac ;;
  inspect)
    case $* in
      *'Config.Image}} '*) echo "registry.example/$(name "$6"):1.2" ;;
      *--format*) for n in *; do
          printf '%s\\t%s\\t%s\\t"2026-11-27T08:00:00.123456789Z"\\t"shop"\\t%s\\tregistry.example/%s:1.2\\tsha256:1\\n' $(id $n) $(cat $n) 2 healthy $n
        done ;;
      *) echo '[{"Name": "/'$(name "$4")'"}]' ;;
    esac ;;
  images) for n in *; do printf '%s\\tsha256:%s\\n' "registry.example/$n:1.2" $(cat '${folder}'/pulled.$n 2>/dev/null || echo 1); done ;;
  pull) n=\${3#registry.example/}; echo 2 > '${folder}'/pulled.\${n%:*} ;;
  stats) for n in *; do
      [ "$(cat $n)" = running ] && printf '%s\\t12.50%%\\t100MiB / 1GiB\\t1.5kB / 2MB\\n' $(id $n)
    done ;;
  exec) echo "a shell in $(name "$3")" ;;
  logs) printf '2026-11-27T08:00:02.5Z second line\\n2026-11-27T08:00:01.5Z first line\\n' ;;
  start | restart | unpause) name "$2" | { read n && echo running > "$n" && echo "$2"; } ;;
  stop) echo exited > "$(name "$2")" ;;
  pause) echo paused > "$(name "$2")" ;;
  rm)
    n=$(name "$2")
    [ "$(cat "$n")" = exited ] || { echo "Error response from daemon: cannot remove container \\"/$n\\": container is running" >&2; exit 1; }
    rm "$n" ;;
esac
`

const units = { 'nginx.service': 'active', 'backup.service': 'failed', 'backup.timer': 'active' } as const

/** Answers as systemd 252 does. */
const systemctl = (folder: string) => `#!/bin/sh
cd '${folder}/units' || exit 1
echo "$@" >> '${folder}/systemctl.calls'
[ "$1" = --no-ask-password ] && shift
case $1 in
  show)
    case $* in *--property=Version) echo Version=252; exit ;; esac
    for n in *; do
      s=$(cat $n)
      echo "Id=$n"; echo "Description=The $n"; echo LoadState=loaded; echo "ActiveState=$s"
      case $n in
        *.timer) echo SubState=waiting
          echo 'NextElapseUSecRealtime=Sat 2026-11-28 02:00:00 UTC'; echo 'LastTriggerUSec=Fri 2026-11-27 02:00:05 UTC' ;;
        *) case $s in active) echo SubState=running ;; *) echo "SubState=$s" ;; esac
          echo MemoryCurrent=18446744073709551615; echo NRestarts=3 ;;
      esac
      echo "UnitFileState=$(cat '${folder}'/boot.$n 2>/dev/null || echo enabled)"
      echo 'ActiveEnterTimestamp=Fri 2026-11-27 07:00:00 UTC'
      echo
    done ;;
  start | restart) echo active > "$3" ;;
  stop) echo inactive > "$3" ;;
  enable | disable)
    [ -e "$3" ] || { echo "Failed to $1 unit: Unit file $3 does not exist." >&2; exit 1; }
    echo "$1d" > '${folder}'/boot."$3" ;;
esac
`

/** Answers as the journal of systemd 252 does when it is read backwards. */
const journalctl = (folder: string) => `#!/bin/sh
echo "$@" >> '${folder}/journalctl.calls'
lines=500 after=
for one in "$@"; do
  case $one in --lines=*) lines=\${one#--lines=} ;; --after-cursor=*) after=\${one#--after-cursor=} ;; esac
done
{ cat <<'END'
{"__CURSOR":"s=1;i=3","__REALTIME_TIMESTAMP":"1795766401000000","PRIORITY":"3","SYSLOG_IDENTIFIER":"kernel","MESSAGE":[100,105,115,107]}
{"__CURSOR":"s=1;i=2","__REALTIME_TIMESTAMP":"1795766400000000","PRIORITY":"6","_SYSTEMD_UNIT":"nginx.service","SYSLOG_IDENTIFIER":"nginx","_PID":"812","MESSAGE":"started"}
END
cat '${folder}/older' 2>/dev/null
} | { if [ -n "$after" ]; then sed "1,/$after\\"/d"; else cat; fi; } | head -n "$lines"
`

/** Counting all folders of a real machine takes too long for a test. */
const du = () => `#!/bin/sh
printf '2048\\t/srv/pictures\\n4096\\t/srv\\n'
`

/**
 * Programs that this machine may not have, in a folder for the beginning of PATH. They keep what was done to them.
 * @returns `calls` tells with which arguments a program was called, in order
 */
export function fakePrograms(folder: string) {
  for (const [kind, states] of Object.entries({ containers, units })) {
    mkdirSync(join(folder, kind), { recursive: true })
    for (const [name, state] of Object.entries(states)) writeFileSync(join(folder, kind, name), `${state}\n`)
  }
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const [name, text] of Object.entries({ docker, systemctl, journalctl, du })) {
    writeFileSync(join(bin, name), text(folder))
    chmodSync(join(bin, name), 0o755)
  }
  return {
    path: `${bin}:${process.env.PATH}`,
    /** Lets a program do something else, or be there. @param text of a shell script */
    replace(name: string, text: string) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    },
    /** Puts lines before those of the journal. */
    addOlderLines(count: number) {
      const lines = Array.from({ length: count }, (_, at) => ({
        __CURSOR: `s=0;i=${count - at}`,
        __REALTIME_TIMESTAMP: `${1_795_766_300 - at}000000`,
        PRIORITY: '6',
        SYSLOG_IDENTIFIER: 'kernel',
        MESSAGE: `older line ${count - at}`,
      }))
      writeFileSync(join(folder, 'older'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    },
    calls: (name: string) =>
      readFileSync(join(folder, `${name}.calls`), 'utf8')
        .trimEnd()
        .split('\n'),
  }
}
