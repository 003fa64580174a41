import type { Texts } from '../define/text.ts'

/** Commands that install an agent. */
export const installAgent = {
  install: {
    menu: {
      en: 'Install agent',
      it: 'Installa agente',
      zhCN: '安装 Agent',
      zhTW: '安裝 Agent',
      de: 'Agent installieren',
    },
    hint: {
      en: 'Copies a command. Run it as administrator on the machine that you want to watch.',
      it: 'Copia un comando da eseguire come amministratore sulla macchina da sorvegliare.',
      zhCN: '复制命令，并以管理员身份在要监控的机器上运行。',
      zhTW: '複製指令，並以系統管理員身分在要監控的機器上執行。',
      de: 'Kopiert einen Befehl. Er gehört mit Administratorrechten auf die Maschine, die überwacht werden soll.',
    },
    no_agents_yet: {
      en: 'This server does not accept agents yet; it monitors only the machine it runs on. The commands are for a server that accepts agents.',
      it: 'Questo server non accetta ancora agenti: sorveglia la macchina su cui è in esecuzione. I comandi valgono per un server che li accetta.',
      zhCN: '此服务器暂不接受 Agent：它只监控自己所在的机器。这些命令适用于接受 Agent 的服务器。',
      zhTW: '此伺服器尚不接受 Agent：它只監控自己所在的機器。這些指令適用於接受 Agent 的伺服器。',
      de: 'Dieser Server nimmt noch keine Agenten an: Er überwacht die Maschine, auf der er läuft. Die Befehle gelten für einen Server, der Agenten annimmt.',
    },
    systems: {
      linux: { en: 'Linux', it: 'Linux', zhCN: 'Linux', zhTW: 'Linux', de: 'Linux' },
      macos: { en: 'macOS', it: 'macOS', zhCN: 'macOS', zhTW: 'macOS', de: 'macOS' },
      windows: { en: 'Windows', it: 'Windows', zhCN: 'Windows', zhTW: 'Windows', de: 'Windows' },
    },
    copied: {
      en: 'Command for %{system} copied',
      it: 'Comando per %{system} copiato',
      zhCN: '已复制 %{system} 的命令',
      zhTW: '已複製 %{system} 的指令',
      de: 'Befehl für %{system} kopiert',
    },
    copy_for: {
      en: 'Copy command for %{system}',
      it: 'Copia il comando per %{system}',
      zhCN: '复制 %{system} 的命令',
      zhTW: '複製 %{system} 的指令',
      de: 'Befehl für %{system} kopieren',
    },
    host_required: {
      en: 'The Agent docking address has not been filled in in the settings.',
      it: 'L’indirizzo di collegamento degli agenti non è stato compilato nelle impostazioni.',
      zhCN: '设置中尚未填写 Agent 对接地址。',
      zhTW: '設定中尚未填寫 Agent 的連線位址。',
      de: 'Die Adresse für Agenten ist in den Einstellungen nicht eingetragen.',
    },
    secret_required: {
      en: 'There is no agent secret. Ask an administrator for one.',
      it: 'Manca la chiave dell’agente. Chiederne una a un amministratore.',
      zhCN: '没有 Agent 密钥。请向管理员索取。',
      zhTW: '沒有 Agent 金鑰。請向管理員索取。',
      de: 'Es gibt keinen Agent-Schlüssel. Administratoren können einen vergeben.',
    },
    control_characters: {
      en: 'The install settings contain control characters. Remove them before copying a command.',
      it: 'Le impostazioni di installazione contengono caratteri di controllo. Rimuoverli prima di copiare un comando.',
      zhCN: '安装设置中含有控制字符。请先删除再复制命令。',
      zhTW: '安裝設定中含有控制字元。請先移除再複製指令。',
      de: 'Die Einstellungen für die Installation enthalten Steuerzeichen. Vor dem Kopieren eines Befehls entfernen.',
    },
    reinstall_title: {
      en: 'Re-install the agent of %{what}',
      it: 'Reinstalla l’agente di %{what}',
      zhCN: '重新安装 %{what} 的 Agent',
      zhTW: '重新安裝 %{what} 的 Agent',
      de: 'Agent von %{what} neu installieren',
    },
    reinstall_hint: {
      en: 'The machine stays the same server, with its name, its groups and its history.',
      it: 'La macchina resta lo stesso server, con nome, gruppi e cronologia.',
      zhCN: '机器仍是同一台服务器，名称、分组和历史都会保留。',
      zhTW: '機器仍是同一台伺服器，名稱、群組與歷史都會保留。',
      de: 'Die Maschine bleibt derselbe Server, mit Namen, Gruppen und Verlauf.',
    },
    unknown_os: {
      en: 'Unknown OS',
      it: 'Sistema operativo sconosciuto',
      zhCN: '未知的操作系统',
      zhTW: '未知的作業系統',
      de: 'Unbekanntes Betriebssystem',
    },
  },
} satisfies Texts
