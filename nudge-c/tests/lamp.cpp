#include <nudge.h>

class Button {
    nudge_part pin;
    bool was_down = false;

public:
    explicit Button(const char *name) : pin{nudge_input(name)} {}
    bool is_pressed() {
        const bool before = was_down;
        was_down = !nudge_read(pin);
        return was_down && !before;
    }
};

extern "C" void lamp() {
    Button go{"GO"};
    const nudge_part led = nudge_led("L");
    for (bool is_on = false;; nudge_delay_us(5000)) {
        if (go.is_pressed()) nudge_write(led, is_on = !is_on);
    }
}
