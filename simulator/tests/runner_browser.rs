//! Tests the page of `nudge replay --html` in a real browser: Chromium without a window.

mod command;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use ili9341_model::Frame;
use reading::golden::{read_png, write_png};

/// The script that operates the page before its final state is written out.
const PERSON: &str = r#"<script>
const tell = (what) => document.body.setAttribute("data-told",
  (document.body.dataset.told ?? "") + what + ";");
addEventListener("load", () => {
  const shown = () => document.querySelectorAll(".row:not([hidden])").length;
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true }));
  tell("rows " + shown());
  press("n");
  tell("at " + document.activeElement.closest(".row")?.id);
  const button = (name) => document.querySelector(`[data-mode=${name}]`);
  button("swipe").click();
  const slider = document.querySelector(".over input");
  slider.value = 30;
  slider.dispatchEvent(new Event("input"));
  const above = document.querySelectorAll(".stack img")[1];
  tell("swipe " + above.style.clipPath + " " + button("swipe").ariaPressed);
  button("onion").click();
  tell("onion " + above.isConnected + " "
    + document.querySelectorAll(".stack img")[1].style.opacity);
  button("diff").click();
  tell("diff " + document.querySelectorAll(".stack img").length);
  const all = [...document.images];
  tell("pictures " + all.every((image) => image.naturalWidth === 320));
  const text = document.getElementById("text");
  text.value = "good";
  text.dispatchEvent(new Event("input", { bubbles: true }));
  tell("filtered " + shown());
  const foreign = [...document.scripts].filter((script) => script.textContent.startsWith("hacked="));
  tell("scripts " + foreign.length + " " + (window.hacked ?? "safe"));
});
</script></body>"#;

/// Chromium's names on Debian and on GitHub's machines.
const BROWSERS: [&str; 2] = ["chromium", "google-chrome"];

/// Returns the browser with a profile of its own.
fn browser(profile: &Path) -> Command {
    let there = |browser: &&&str| Command::new(browser).arg("--version").output().is_ok();
    let browser = BROWSERS.iter().find(there);
    let browser = browser.expect("a browser is installed (Debian: apt-get install chromium)");
    let mut command = Command::new(browser);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command
}

fn chromium(arguments: &[&str], page: &Path) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = browser(profile.path())
        .arg("--virtual-time-budget=5000")
        .args(arguments)
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_page_filters_compares_and_has_shortcuts_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let head = "trace 1\nseed 7\n\n0ms power on\n500ms tap B3\n+1s settle within 9s\n";
    let write = |name: &str, rest: &str| {
        fs::write(folder.path().join(name), format!("{head}{rest}+0ms end\n")).unwrap();
    };
    write("good-1.trace", "");
    write("good-2.trace", "");
    write("look.trace", "+0ms expect frame won\n");
    write("<script>hacked='x'<.trace", "+0ms expect text \"<script>hacked='y'</script>\"\n");
    fs::create_dir(folder.path().join("look")).unwrap();
    write_png(folder.path().join("look/won.png"), &Frame::filled(320, 240, 0x0000_8000)).unwrap();

    let run = command::nudge()
        .args(["replay", ".", "--html", "page"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1), "{}", String::from_utf8_lossy(&run.stderr));
    let page = folder.path().join("page/index.html");
    let text = fs::read_to_string(&page).unwrap();
    let watched = folder.path().join("page/watched.html");
    fs::write(&watched, text.replace("</body>", PERSON)).unwrap();

    let dom = chromium(&["--dump-dom"], &watched);
    let told = dom.split("data-told=\"").nth(1).and_then(|rest| rest.split('"').next());
    assert_eq!(
        told,
        Some(
            "rows 4;at f1;swipe inset(0px 70% 0px 0px) true;onion false 0.3;diff 1;\
             pictures true;filtered 2;scripts 0 safe;"
        ),
        "{}",
        String::from_utf8_lossy(&run.stdout)
    );

    let picture = folder.path().join("page.png");
    let screenshot = format!("--screenshot={}", picture.display());
    chromium(&[&screenshot, "--window-size=400,900"], &page);
    let seen = read_png(&picture).unwrap();
    let mut colours = seen.pixels().to_vec();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() > 20, "an empty page: {} colours", colours.len());
}

/// The script that operates a flame graph; it is part of the picture.
#[cfg(feature = "on-target")]
const READER: &str = r##"<script><![CDATA[
addEventListener("load", () => {
  const told = [];
  try {
    const bars = [...document.querySelectorAll(".bar")];
    const number = (bar, name) => Number(bar.querySelector("rect").getAttribute(name));
    const shown = () => bars.filter((bar) => bar.style.display !== "none");
    const click = (what) => what.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const head = document.getElementById("said").textContent;
    // A function that called others, beside another function.
    const some = bars.find((bar) => Number(bar.dataset.w) > 1 && Number(bar.dataset.w) < 1199
      && bars.some((other) => other !== bar && number(other, "y") === number(bar, "y"))
      && bars.some((other) => number(other, "y") < number(bar, "y")
        && Number(other.dataset.x) >= Number(bar.dataset.x)
        && Number(other.dataset.x) < Number(bar.dataset.x) + Number(bar.dataset.w)));
    click(some);
    told.push("wide " + Math.round(number(some, "width")));
    const rows = shown().map((bar) => number(bar, "y") - number(some, "y"));
    told.push("above " + rows.some((row) => row < 0), "below " + rows.some((row) => row > 0));
    told.push("callers " + shown().filter((bar) => number(bar, "y") > number(some, "y"))
      .every((bar) => Math.abs(number(bar, "width") - 1200) < 1));
    told.push("left out " + (shown().length < bars.length));
    click(document.getElementById("whole"));
    told.push("whole " + (shown().length === bars.length)
      + " " + (Math.abs(number(some, "width") - Number(some.dataset.w)) < 0.01));
    window.prompt = () => some.dataset.n;
    document.getElementById("search").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    const found = [...document.querySelectorAll(".found")];
    told.push("found " + (found.includes(some)
      && found.every((bar) => bar.dataset.n.includes(some.dataset.n))));
    told.push("colour " + getComputedStyle(some.querySelector("rect")).fill);
    const said = document.getElementById("said").textContent;
    const cycles = Number(said.slice(some.dataset.n.length + 2).split(" of ")[0]);
    told.push("said " + (said.startsWith(some.dataset.n + ": ") && said.endsWith(" of " + head)
      && cycles >= Number(some.dataset.c)));
    window.prompt = () => "no function has this name";
    click(document.getElementById("search"));
    told.push("none " + document.querySelectorAll(".found").length
      + document.getElementById("said").textContent.slice("no function has this name".length).split(" of ")[0]);
    window.prompt = () => "";
    click(document.getElementById("search"));
    told.push("again " + (document.getElementById("said").textContent === head));
  } catch (error) {
    told.push(String(error));
  }
  document.documentElement.setAttribute("data-told", told.join(";"));
});
]]></script>
</svg>"##;

#[cfg(feature = "on-target")]
#[test]
fn a_flame_graph_zooms_and_searches_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let program =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("on-target/uart.elf");
    assert!(program.exists(), "{} is missing: scripts/on-target.sh builds it", program.display());
    let run = command::nudge()
        .arg("emulate")
        .arg(program)
        .args(["--until", "5ms", "--flamegraph", "graph.svg"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let graph = fs::read_to_string(folder.path().join("graph.svg")).unwrap();
    let watched = folder.path().join("watched.svg");
    fs::write(&watched, graph.replace("</svg>", READER)).unwrap();
    let dom = chromium(&["--dump-dom"], &watched);
    let told = dom.split("data-told=\"").nth(1).and_then(|rest| rest.split('"').next());
    let expected = "wide 1200;above true;below true;callers true;left out true;whole true true;found true;\
                    colour rgb(204, 0, 255);said true;none 0: 0;again true";
    assert_eq!(told, Some(expected), "{}", &dom[..dom.len().min(500)]);
}

/// The script that plays a failure, and then requests a URL with its observations, which the test
/// receives. The engine runs in its own thread, in real time.
const PLAYER: &str = r#"<script>
const met = async (what, isMet) => {
  for (let round = 0; !isMet(); round++) {
    if (round > 400) throw new Error("not met: " + what);
    await new Promise((next) => setTimeout(next, 50));
  }
};
addEventListener("load", async () => {
  const told = [];
  try {
    const room = document.querySelector("[data-nudge-player]");
    room.querySelector("button").click();
    await met("a player", () => room.dataset.ready);
    const time = () => new URLSearchParams(location.hash.slice(1)).get("t");
    const shown = () => [...room.querySelectorAll("input")].map((input) => input.value)
      .find((value) => value.endsWith(" s"));
    told.push(room.dataset.ready, shown());
    const began = parseFloat(shown());
    const press = (key) => {
      const init = { key, code: "Key" + key.toUpperCase(), bubbles: true };
      room.querySelector(".player").dispatchEvent(new KeyboardEvent("keydown", init));
      room.querySelector(".player").dispatchEvent(new KeyboardEvent("keyup", init));
    };
    press("p");
    await new Promise((next) => setTimeout(next, 600));
    press("p");
    await met("a later moment", () => parseFloat(time()) > began);
    told.push("plays", document.querySelectorAll("[id=engine]").length);
  } catch (error) {
    told.push(String(error));
  }
  location.href = "http://127.0.0.1:PORT/" + encodeURIComponent(told.join(" "));
});
</script></body>"#;

#[test]
fn a_failure_is_played_in_the_page_from_its_time_on() {
    assert!(
        page::Bundle::find_with(firmware_core::SOURCE_HASH).is_ok(),
        "this test needs the page: run `make page` before"
    );
    let folder = tempfile::tempdir().unwrap();
    let trace =
        "trace 1\nseed 7\n\n0ms power on\n+1s tap B3\n+250ms expect text \"none\"\n+5s end\n";
    fs::write(folder.path().join("fails.trace"), trace).unwrap();
    command::check(folder.path(), "replay . --html page", 1, &[]);
    let page = folder.path().join("page/index.html");
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port().to_string();
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replace("</body>", &PLAYER.replace("PORT", &port))).unwrap();

    let profile = tempfile::tempdir().unwrap();
    let mut child = browser(profile.path())
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (sender, told) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let (stream, _) = server.accept().unwrap();
        BufReader::new(stream).read_line(&mut line).unwrap();
        sender.send(line).unwrap();
    });
    let told = told.recv_timeout(Duration::from_secs(60));
    child.kill().unwrap();
    child.wait().unwrap();
    let told = told.expect("the page tells what it has seen within a minute");
    assert!(told.starts_with("GET /yes%201.250000%20s%20plays%201 "), "{told}");
}

/// The script that operates the atlas.
const EXPLORER: &str = r##"<script>
const tell = (what) => document.body.setAttribute("data-told",
  (document.body.dataset.told ?? "") + what + ";");
addEventListener("error", (event) => tell("error " + event.message));
addEventListener("load", () => {
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true }));
  const title = () => document.querySelector("#detail h2").textContent.split(" /")[0];
  const count = (what) => document.querySelectorAll(what).length;
  const nodes = count(".node");
  tell("nodes " + (nodes >= 6));
  document.getElementById("chart").focus();
  tell(title());
  press("n");
  tell(title() + " " + location.hash);
  const before = document.getElementById("world").getAttribute("transform");
  press("ArrowDown");
  press("+");
  tell("moved " + (before !== document.getElementById("world").getAttribute("transform")));
  press("b");
  tell("back " + title());
  press("g");
  tell("cards " + (count(".card") === nodes));
  const find = document.getElementById("find");
  find.value = "save game";
  find.dispatchEvent(new Event("input", { bubbles: true }));
  tell("found " + (count(".card") > 0 && count(".card") < nodes));
  const eyes = document.getElementById("eyes");
  eyes.value = "greyscale";
  eyes.dispatchEvent(new Event("change"));
  tell("eyes " + getComputedStyle(document.querySelector(".card img")).filter.includes("eye-greyscale"));
  press("l");
  tell("findings " + (count("#findings h2") >= 2));
  press("m");
  tell("wide " + (document.documentElement.scrollWidth <= innerWidth));
  tell("scripts " + count("script"));
});
</script></body>"##;

#[test]
fn the_atlas_has_keys_search_and_colour_vision_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let run = command::nudge()
        .args(["atlas", "--screens", "6", "--output", "atlas.html"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let page = fs::read_to_string(folder.path().join("atlas.html")).unwrap();
    let watched = folder.path().join("watched.html");
    fs::write(&watched, page.replace("</body>", EXPLORER)).unwrap();
    for size in ["--window-size=1400,900", "--window-size=500,900"] {
        let dom = chromium(&["--dump-dom", size], &watched);
        let told = dom.split("data-told=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert_eq!(told, Some(REPORTED), "{size}");
    }
}

/// The observations that the script reports.
const REPORTED: &str = "nodes true;Welcome;Board 1 of 6 #1;moved true;back Board 1 of 6;cards true;found true;\
                    eyes true;findings true;wide true;scripts 3;";
