//! Checks of what connects assistants with the project: their files, hooks that would run twice, the program on the PATH. It changes
//! nothing. Read [`check`] first.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Finding, Level};
use crate::config;
use crate::engine::Engine;
use crate::engine::init::clients::{ConfigFile, HOOKS, our_hooks};
use crate::engine::init::json_text;
use crate::project::Project;

const CONNECT: &str = "run `reporecall init`; --client names others than Claude Code";

pub(super) fn check(engine: &Engine) -> Vec<Finding> {
    let project = engine.project();
    let mut findings = files(project);
    let connected = findings.iter().any(|finding| finding.level == Level::Ok);
    findings.extend(twice(project));
    if connected {
        findings.push(program());
    }
    findings
}

fn files(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in ConfigFile::ALL {
        let Some(path) = file.path(project) else { continue };
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let shown = shown(project, &path);
        match file.holds(&text) {
            // The user's own files are theirs unless something of ours is in them.
            Ok(false) => {}
            Ok(true) => findings.push(Finding::ok("client", format!("{shown} connects this project"))),
            Err(error) => {
                let message = format!("{shown} cannot be read: {error}");
                let level = if file.is_users() { Level::Warning } else { Level::Fault };
                findings.push(Finding::bad(
                    level,
                    "client",
                    message,
                    "correct it: its assistant cannot read it either",
                ));
            }
        }
    }
    if findings.is_empty() && !plugin_is_on(project) {
        findings.push(Finding::bad(Level::Warning, "client", "no assistant is connected", CONNECT));
    }
    findings
}

/// Every file of settings that Claude Code puts together for this project.
fn settings(project: &Project) -> Vec<(String, Value)> {
    let own = [".claude/settings.json", ".claude/settings.local.json"].map(|path| project.root.join(path));
    let users = Project::home().map(|home| home.join(".claude/settings.json"));
    let mut seen = Vec::new();
    let read = |path: &Path| json_text::read(&fs::read_to_string(path).ok()?).ok();
    for path in own.into_iter().chain(users) {
        // A project in the home folder has one file for both.
        if !seen.iter().any(|(other, _)| *other == shown(project, &path)) {
            seen.extend(read(&path).map(|value| (shown(project, &path), value)));
        }
    }
    seen
}

/// The plugin brings the same hooks and the same server.
fn plugin_is_on(project: &Project) -> bool {
    let is_on = |(_, value): &(String, Value)| {
        let plugins = value["enabledPlugins"].as_object();
        plugins.into_iter().flatten().any(|(name, on)| name.starts_with("reporecall@") && on.as_bool() != Some(false))
    };
    settings(project).iter().any(is_on)
}

fn twice(project: &Project) -> Vec<Finding> {
    let all = settings(project);
    let plugin = plugin_is_on(project);
    let mut findings = Vec::new();
    for (event, _) in HOOKS {
        let places = all.iter().map(|(path, value)| (path.as_str(), our_hooks(value, event)));
        let mut places: Vec<(&str, usize)> = places.filter(|(_, count)| *count > 0).collect();
        places.extend(plugin.then_some(("the plugin", 1)));
        if places.iter().map(|(_, count)| count).sum::<usize>() > 1 {
            let names: Vec<&str> = places.iter().map(|(path, _)| *path).collect();
            let message = format!("{event} is answered more than once: by {}", names.join(" and by "));
            let hint = "keep one: `reporecall uninstall --client claude` removes those of the project, the client's /plugin the plugin";
            findings.push(Finding::bad(Level::Warning, "hooks", message, hint));
        }
    }
    let server = ConfigFile::ClaudeMcp.path(project).and_then(|path| fs::read_to_string(path).ok());
    if plugin && server.is_some_and(|text| ConfigFile::ClaudeMcp.holds(&text).unwrap_or_default()) {
        let message = ".mcp.json and the plugin both bring the MCP server";
        findings.push(Finding::bad(
            Level::Warning,
            "client",
            message,
            "run `reporecall uninstall --client claude`, or disable the plugin",
        ));
    }
    findings
}

fn program() -> Finding {
    let names = ["reporecall", "reporecall.exe"];
    let mut dirs = config::program_dirs().into_iter();
    let found = dirs.find_map(|dir| names.iter().map(|name| dir.join(name)).find(|path| path.is_file()));
    match found {
        Some(path) => Finding::ok("path", format!("assistants start {}", path.display())),
        None => Finding::bad(
            Level::Fault,
            "path",
            "reporecall is not on the PATH, so no assistant can start it",
            "put the program into a folder that `echo $PATH` lists, or add its folder to the PATH",
        ),
    }
}

fn shown(project: &Project, path: &Path) -> String {
    path.strip_prefix(&project.root).unwrap_or(path).display().to_string()
}
