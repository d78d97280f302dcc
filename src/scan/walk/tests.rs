//! What a walk finds and leaves out, on small folders made for each rule.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};

use super::{IsSource, Rules, ScanOptions, Scope, Walk, folders, walk, walk_with};
use crate::model::RelPath;
use crate::scan::LARGEST_FILE;
use crate::scan::fixture::{add, folder, pipe};

const SOURCE: IsSource<'static> = &|path: &RelPath| path.as_str().rsplit_once('.').is_some_and(|(_, end)| end == "rs");

fn options() -> ScanOptions {
    ScanOptions { max_file_size: 1000, ..ScanOptions::default() }
}

fn walked(root: &Path, options: &ScanOptions, global: &str) -> Walk {
    walk_with(root, (options, SOURCE), Rules::parse(global.lines())).unwrap().0
}

/// Files one a line, then what was skipped and why.
fn shown(walk: &Walk) -> String {
    let mut text = String::new();
    for file in &walk.files {
        writeln!(text, "{}", file.path).unwrap();
    }
    for skip in &walk.skipped {
        writeln!(text, "- {} ({})", skip.path, skip.reason.as_str()).unwrap();
    }
    text
}

fn check(files: &[(&str, &str)], expect: &Expect) {
    let (_dir, root) = folder(files);
    expect.assert_eq(&shown(&walked(&root, &options(), "")));
}

#[test]
fn ignore_files_count_at_every_level_and_without_a_repository() {
    check(
        &[
            (".gitignore", "*.log\n/only-here\nsub/deep/*.rs\n"),
            ("a.log", "x"),
            ("a.rs", "x"),
            ("only-here", "x"),
            ("sub/.gitignore", "!kept.log\nb.rs\n"),
            ("sub/kept.log", "x"),
            ("sub/other.log", "x"),
            ("sub/b.rs", "x"),
            ("sub/only-here", "x"),
            ("sub/deep/c.rs", "x"),
            ("sub/deep/c.py", "x"),
            ("b.rs", "x"),
        ],
        &expect![[r"
            .gitignore
            a.rs
            b.rs
            sub/.gitignore
            sub/deep/c.py
            sub/kept.log
            sub/only-here
        "]],
    );
}

#[test]
fn memoryignore_goes_before_gitignore_and_built_in_rules() {
    check(
        &[
            (".gitignore", "generated/\n*.tmp\n!package-lock.json\n"),
            (".memoryignore", "!generated/\n!build/\n!yarn.lock\nsecret.rs\n!.git/\n!.memory/\n"),
            (".git/config", "x"),
            (".memory/config.json", "x"),
            ("generated/a.rs", "x"),
            ("generated/b.tmp", "x"),
            ("build/a.rs", "x"),
            ("dist/a.rs", "x"),
            ("yarn.lock", "x"),
            ("package-lock.json", "x"),
            ("secret.rs", "x"),
            ("sub/.memoryignore", "!secret.rs\n!c.tmp\n"),
            ("sub/secret.rs", "x"),
            ("sub/c.tmp", "x"),
        ],
        &expect![[r"
            .gitignore
            .memoryignore
            build/a.rs
            generated/a.rs
            sub/.memoryignore
            sub/c.tmp
            sub/secret.rs
            yarn.lock
            - dist (excluded folder)
            - package-lock.json (lock file)
        "]],
    );
}

#[test]
fn exclude_file_and_global_excludes_rank_below_gitignore() {
    let (_dir, root) = folder(&[
        (".git/HEAD", "ref: refs/heads/main"),
        (".git/objects/", ""),
        (".git/info/exclude", "local.rs\n!global-but-wanted.rs\nkept.rs\n"),
        (".gitignore", "!kept.rs\n"),
        ("local.rs", "x"),
        ("kept.rs", "x"),
        ("global.rs", "x"),
        ("global-but-wanted.rs", "x"),
        ("sub/global.rs", "x"),
    ]);
    expect![[r"
        .gitignore
        global-but-wanted.rs
        kept.rs
    "]]
    .assert_eq(&shown(&walked(&root, &options(), "global*.rs")));
}

#[test]
fn ignore_files_above_the_root_count_up_to_the_top_of_the_repository() {
    let (_dir, top) = folder(&[
        (".gitignore", "*.rs\n"),
        ("repo/.git/HEAD", "ref: refs/heads/main"),
        ("repo/.git/objects/", ""),
        ("repo/.git/info/exclude", "/pkg/app/x.py\n"),
        ("repo/.gitignore", "*.log\n/pkg/app/out\n"),
        ("repo/pkg/.gitignore", "!keep.log\n"),
        ("repo/pkg/app/a.rs", "x"),
        ("repo/pkg/app/b.log", "x"),
        ("repo/pkg/app/keep.log", "x"),
        ("repo/pkg/app/x.py", "x"),
        ("repo/pkg/app/sub/x.py", "x"),
        ("repo/pkg/app/out/y.py", "x"),
        ("repo/pkg/app/.gitignore", "/sub/z.py"),
        ("repo/pkg/app/sub/z.py", "x"),
    ]);
    expect![[r"
        .gitignore
        a.rs
        keep.log
        sub/x.py
    "]]
    .assert_eq(&shown(&walked(&top.join("repo/pkg/app"), &options(), "")));
}

#[test]
fn rules_above_that_ignore_the_root_itself_do_not_count() {
    let (_dir, top) = folder(&[
        (".git/HEAD", "ref: refs/heads/main"),
        (".git/objects/", ""),
        (".gitignore", "*\n"),
        ("work/app/a.rs", "x"),
    ]);
    assert_eq!(shown(&walked(&top.join("work/app"), &options(), "")), "a.rs\n");
}

#[test]
fn nested_repositories_have_their_own_rules_and_second_work_trees_are_left_out() {
    check(
        &[
            (".git/HEAD", "ref: refs/heads/main"),
            (".git/objects/", ""),
            (".git/worktrees/w/HEAD", "ref: refs/heads/w"),
            (".git/worktrees/w/commondir", "../.."),
            (".gitignore", "*.py"),
            ("a.rs", "x"),
            ("trees/w/.git", "gitdir: ../../.git/worktrees/w"),
            ("trees/w/a.rs", "x"),
            ("module/.git/HEAD", "ref: refs/heads/main"),
            ("module/.git/objects/", ""),
            ("module/.git/info/exclude", "c.py"),
            ("module/.gitignore", "*.rs"),
            ("module/a.rs", "x"),
            ("module/b.py", "x"),
            ("module/c.py", "x"),
        ],
        &expect![[r"
            .gitignore
            a.rs
            module/.gitignore
            module/b.py
            - trees/w (excluded folder)
        "]],
    );
}

#[test]
fn folders_of_products_are_left_out_and_counted_once() {
    check(
        &[
            ("node_modules/a/index.js", "x"),
            ("web/package.json", "x"),
            ("web/build/app.js", "x"),
            ("web/src/build/plan.rs", "x"),
            ("web/vendor/x.js", "x"),
            ("target/debug/x", "x"),
            ("coverage/__init__.py", "x"),
            ("py/env/pyvenv.cfg", "x"),
            ("py/env/lib/x.py", "x"),
            ("py/cached/CACHEDIR.TAG", "x"),
            ("src/target/mod.rs", "x"),
            (".github/workflows/ci.yml", "x"),
            (".mypy_cache/x.json", "x"),
        ],
        &expect![[r"
            .github/workflows/ci.yml
            coverage/__init__.py
            src/target/mod.rs
            web/package.json
            web/src/build/plan.rs
            - .mypy_cache (excluded folder)
            - node_modules (excluded folder)
            - py/cached (excluded folder)
            - py/env (excluded folder)
            - target (excluded folder)
            - web/build (excluded folder)
            - web/vendor (excluded folder)
        "]],
    );
}

#[test]
fn the_root_is_walked_whatever_its_own_name_and_marks() {
    let (_dir, top) = folder(&[("node_modules/lib/a.rs", "x"), ("node_modules/lib/CACHEDIR.TAG", "x")]);
    assert_eq!(shown(&walked(&top.join("node_modules/lib"), &options(), "")), "CACHEDIR.TAG\na.rs\n");
    assert_eq!(shown(&walked(&top.join("node_modules"), &options(), "")), "- lib (excluded folder)\n");
}

#[test]
fn size_decides_by_kind() {
    let (_dir, root) = folder(&[
        ("empty.rs", ""),
        ("large.rs", &"x".repeat(1001)),
        ("large.txt", &"x".repeat(1001)),
        ("limit.txt", &"x".repeat(1000)),
        ("vast.rs", ""),
    ]);
    fs::File::create(root.join("vast.rs")).unwrap().set_len(LARGEST_FILE + 1).unwrap();
    let walk = walked(&root, &options(), "");
    expect![[r"
        large.rs
        limit.txt
        - empty.rs (empty)
        - large.txt (too large)
        - vast.rs (too large)
    "]]
    .assert_eq(&shown(&walk));
    assert_eq!(walk.skipped.iter().map(|skip| skip.size).collect::<Vec<_>>(), [0, 1001, LARGEST_FILE + 1]);
}

#[test]
fn patterns_and_extensions_of_the_settings_count() {
    let (_dir, root) = folder(&[
        (".memoryignore", "!keep/b.rs"),
        (".gitignore", "!a.gen"),
        ("a.gen", "x"),
        ("drop/a.rs", "x"),
        ("keep/a.rs", "x"),
        ("keep/b.rs", "x"),
        ("x.svg", "x"),
        ("x.po", "x"),
    ]);
    let options = ScanOptions {
        ignore_patterns: ["/drop/", "*.gen", "keep/*.rs"].map(str::to_owned).to_vec(),
        extensions: vec![".svg".to_owned()],
        ..options()
    };
    expect![[r"
        .gitignore
        .memoryignore
        keep/b.rs
        x.svg
        - x.po (data)
    "]]
    .assert_eq(&shown(&walked(&root, &options, "")));
}

#[test]
fn hostile_ignore_files_do_no_harm() {
    let (_dir, root) = folder(&[("a.rs", "x"), ("b.rs", "x"), ("sub/.memoryignore/x.rs", "x"), ("sub/a.rs", "x")]);
    let mut garbage = b"\xff\xfe\x00{[**\n\\\n".to_vec();
    garbage.extend_from_slice(&b"[".repeat(200_000));
    garbage.extend_from_slice(b"\n\xff\nb.rs\n");
    fs::write(root.join(".gitignore"), garbage).unwrap();
    expect![[r"
        a.rs
        sub/.memoryignore/x.rs
        sub/a.rs
        - .gitignore (too large)
    "]]
    .assert_eq(&shown(&walked(&root, &options(), "")));
}

#[test]
fn deep_nesting_and_many_files_in_one_folder() {
    let deep = vec!["d"; 1000].join("/");
    let (_dir, root) = folder(&[(&format!("{deep}/x.rs"), "x"), (&format!("{deep}/.gitignore"), "y.rs")]);
    add(&root, &[(&format!("{deep}/y.rs"), "x")]);
    let many = root.join("many");
    fs::create_dir(&many).unwrap();
    for number in 0..5000 {
        fs::write(many.join(format!("{number}.rs")), "x").unwrap();
    }
    let walk = walked(&root, &options(), "");
    assert_eq!((walk.files.len(), walk.skipped.len()), (5002, 0));
    assert!(walk.files.is_sorted_by_key(|file| &file.path));
}

#[test]
fn missing_root_is_an_error() {
    let (_dir, root) = folder(&[("file", "x")]);
    for path in ["none", "file"] {
        assert!(walk(&root.join(path), &options(), SOURCE).is_err(), "{path}");
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::{add, expect, folder, fs, options, pipe, shown, walked};

    #[test]
    fn links_are_counted_and_never_followed() {
        let (_dir, top) = folder(&[("out/secret.rs", "x"), ("root/a.rs", "x"), ("root/sub/b.rs", "x")]);
        let root = top.join("root");
        for (link, target) in [
            ("inner.rs", "a.rs"),
            ("inner", "sub"),
            ("sub/loop", ".."),
            ("sub/self", "self"),
            ("outer", "../out"),
            ("outer.rs", "../out/secret.rs"),
            ("dangling", "none"),
            ("ignored", "../out"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        add(&root, &[(".memoryignore", "/ignored")]);
        expect![[r"
            .memoryignore
            a.rs
            sub/b.rs
            - dangling (symlink outside)
            - inner (symlink)
            - inner.rs (symlink)
            - outer (symlink outside)
            - outer.rs (symlink outside)
            - sub/loop (symlink)
            - sub/self (symlink outside)
        "]]
        .assert_eq(&shown(&walked(&root, &options(), "")));
    }

    #[test]
    fn a_root_behind_a_link_is_walked() {
        let (_dir, top) = folder(&[("root/a.rs", "x")]);
        symlink(top.join("root"), top.join("link")).unwrap();
        symlink(top.join("root/a.rs"), top.join("root/b.rs")).unwrap();
        assert_eq!(shown(&walked(&top.join("link"), &options(), "")), "a.rs\n- b.rs (symlink)\n");
    }

    #[test]
    fn pipes_and_names_that_are_no_unicode_are_counted() {
        let (_dir, root) = folder(&[("a.rs", "x"), ("sub/b.rs", "x")]);
        for path in ["pipe.rs", ".gitignore", "sub/.memoryignore"] {
            pipe(&root.join(path));
        }
        fs::write(root.join(OsStr::from_bytes(b"bad\xff.rs")), "x").unwrap();
        fs::create_dir(root.join(OsStr::from_bytes(b"sub\xff"))).unwrap();
        expect![[r"
            a.rs
            sub/b.rs
            - .gitignore (special file)
            - bad�.rs (non-Unicode path)
            - pipe.rs (special file)
            - sub/.memoryignore (special file)
            - sub� (non-Unicode path)
        "]]
        .assert_eq(&shown(&walked(&root, &options(), "")));
    }

    #[test]
    fn unreadable_folders_are_counted() {
        let (_dir, root) = folder(&[("a.rs", "x"), ("locked/b.rs", "x")]);
        let locked = root.join("locked");
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o0)).unwrap();
        let readable = fs::read_dir(&locked).is_ok();
        let walk = walked(&root, &options(), "");
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
        // The superuser reads everything.
        let expected = if readable { "a.rs\nlocked/b.rs\n" } else { "a.rs\n- locked (unreadable)\n" };
        assert_eq!(shown(&walk), expected);
    }

    #[test]
    fn stat_is_taken_to_the_nanosecond() {
        let (_dir, root) = folder(&[("a.rs", "x")]);
        let meta = fs::metadata(root.join("a.rs")).unwrap();
        let stat = walked(&root, &options(), "").files.first().unwrap().stat;
        assert_eq!((stat.size, stat.inode), (1, meta.ino()));
        assert_eq!(stat.mtime_ns, meta.mtime() * 1_000_000_000 + meta.mtime_nsec());
        assert_eq!(stat.ctime_ns, meta.ctime() * 1_000_000_000 + meta.ctime_nsec());
    }
}

#[test]
fn a_scope_narrows_what_is_found_and_skipped() {
    let (_dir, root) =
        folder(&[("a/x.rs", "1"), ("a/b/y.rs", "1"), ("a/empty.rs", ""), ("c/z.rs", "1"), (".gitignore", "y.rs")]);
    let found = |paths: &[&str]| {
        let only = Scope::of(paths.iter().map(|path| RelPath::new(path)));
        let walk = walk(&root, &ScanOptions { only, ..options() }, SOURCE).unwrap();
        let files = walk.files.iter().map(|file| file.path.as_str().to_owned());
        files.chain(walk.skipped.iter().map(|skip| format!("-{}", skip.path))).collect::<Vec<_>>()
    };
    assert_eq!(found(&["a"]), ["a/x.rs", "-a/empty.rs"]);
    assert_eq!(found(&["c/z.rs", "a/b/y.rs", "gone.rs"]), ["c/z.rs"]);
}

#[test]
fn folders_are_those_that_a_walk_lists() {
    let (_dir, root) =
        folder(&[("a/x.rs", "1"), ("node_modules/p/y.js", "1"), ("skip/z.rs", "1"), (".gitignore", "skip/")]);
    std::fs::create_dir(root.join("a/hollow")).unwrap();
    let listed = folders(&root, &options()).unwrap();
    assert_eq!(listed.iter().map(RelPath::as_str).collect::<Vec<_>>(), ["", "a", "a/hollow"]);
}
