// Starts `nudge lsp` for traces, board files and panel tables. The server does everything else; the commands of its
// code lenses, `nudge.replay` and `nudge.bless`, are registered by the language client.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

async function start() {
  const command = vscode.workspace.getConfiguration('nudge').get('path');
  client = new LanguageClient(
    'nudge',
    'nudge',
    { command, args: ['lsp'] },
    {
      documentSelector: [
        { language: 'nudge-trace' },
        { pattern: '**/*.board.toml' },
        { pattern: '**/*.panel.toml' },
        { pattern: '**/panels/*.toml' },
      ],
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `nudge: \`${command} lsp\` does not start (${error.message}). Install nudge, or name it in the setting nudge.path.`,
    );
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('nudge.restart', async () => {
      await client?.stop().catch(() => {});
      await start();
    }),
  );
  await start();
};

exports.deactivate = () => client?.stop();
